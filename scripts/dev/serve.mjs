/** The program as `npm run dev` starts it: loaded first, and run when it is told to. It ends when that ends, however it ends. */
import { once } from 'node:events'

const PROGRAM = new URL('../../.dev/src/', import.meta.url)

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// Loading takes most of the start.
await import(new URL('cli/commands/serve.js', PROGRAM).href)
process.send('loaded')
await once(process, 'message')
// The listener alone would keep the process alive.
process.channel?.unref()
await import(new URL('main.js', PROGRAM).href)
