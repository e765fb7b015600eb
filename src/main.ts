import { inspect } from 'node:util'
import { Io } from './cli/io.js'
import { runCommand } from './cli/run-command.js'
import { indentedStack } from './lib/message-text.js'

const io = new Io(process)

// Instead of Node, which would print what an error quotes as it is.
process.on('uncaughtException', (error) => {
  // What watches custom reads goes first, and throws again what is ours.
  if (process.listenerCount('uncaughtException') > 1) return
  io.warn(['vitrine ended:', ...indentedStack(inspect(error))])
  process.exit(1)
})

// The reader has closed the pipe, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runCommand(process.argv.slice(2), process.env, io, '.env')
