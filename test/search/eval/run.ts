/** `npm run eval:search`: searches for every wish and asks it, in both communities, and prints how often something fits. `-- --details` shows what went wrong in the half to work with. */
import { score, searches, WAYS } from './evaluate.js'

for (const { name, service, questions, stop } of await searches()) {
  for (const [way, find] of Object.entries(WAYS)) {
    const { lines, failures } = await score(questions, (question) => find(service, question))
    for (const line of lines) console.log(`${name}, ${way}, ${line}`)
    if (process.argv.includes('--details')) for (const failure of failures) console.log(failure)
  }
  await stop()
}
