import { Io } from './cli/io.js'
import { runCommand } from './cli/run-command.js'

// The reader has closed the pipe, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runCommand(process.argv.slice(2), process.env, new Io(process), '.env')
