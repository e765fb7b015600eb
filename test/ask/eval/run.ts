/** `npm run eval:ask`: asks every question of the folder and prints the score. `-- --details` shows what went wrong, save in the set that is not to be read. */
import { DEMO_DEFAULTS, demoLog } from '../../../demo/index.js'
import { Service, WEB_URL } from '../../harness/service.js'
import { evaluate, line, reports, scores } from './evaluate.js'
import { FLOORS, holds } from './floors.js'

const undo: (() => unknown)[] = []
const service = await Service.start(
  { teardown: (stop: () => unknown) => undo.push(stop) },
  { records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) },
)
const verdicts = await evaluate(service)
if (process.argv.includes('--details')) for (const report of reports(verdicts)) console.log(`${report}\n`)
for (const score of scores(verdicts)) console.log(line(score))
for (const stop of undo) await stop()
if (!holds(scores(verdicts))) {
  console.log(`Below the floor: ${FLOORS.map(([name, floor]) => `${100 * floor} % of ${name}`).join(', ')}.`)
  process.exitCode = 1
}
