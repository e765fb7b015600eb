/** The process whose speed and memory `fold.ts` measures. */
import { project } from './workspace.js'

const folder = process.argv[2]
if (folder === undefined) throw new Error('needs the folder of a log')
const started = performance.now()
await project(folder)
const seconds = (performance.now() - started) / 1000
// Linux reports kilobytes.
process.stdout.write(JSON.stringify({ seconds, peakRssMb: process.resourceUsage().maxRSS / 1024 }))
