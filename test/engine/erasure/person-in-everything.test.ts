/** Erases a person who is in everything, and looks at the bytes of every file and of the memory of every process. */
import t from 'tap'
import { holdsBytes } from '../../adapters/folder.js'
import { vitrine } from '../../harness/command.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'
import { erased } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { childrenOf } from '../../support/linux-processes.js'
import { heapSnapshots, ID, LIFE, showEverywhere, showOthers, untilGoneFrom, WORDS } from './person.js'

await t.test('no byte of an erased person is left in the files or in the memory of the service', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...LIFE))
  const memory = await heapSnapshots()
  const serving = await Serving.start(t, folder.path, ['--workers', '2', '--rate-limit-agent', 'off'], memory.env)
  await serving.ready()
  // Leaves a retired generation of every model.
  t.match(await vitrine(['rebuild', 'all', '--data-dir', folder.path]), { code: 0 })
  const { jobId } = await showEverywhere(t, serving)
  const processes = [serving.pid ?? 0, ...childrenOf(serving.pid)]
  t.equal(processes.length, 3)
  for (const word of WORDS.filter((word) => word !== 'QUINCEWOOD')) t.ok(await holdsBytes(folder.path, word), `${word} is in files`)

  await folder.append(script.write(erased(ID)))
  await folder.caughtUp()
  t.equal((await fetch(`http://127.0.0.1:${serving.web}/ask/jobs/${jobId}`)).status, 404)
  const redact = () => vitrine(['redact', `creator/${ID}`, '--data-dir', folder.path])
  // Refused until the retired generations have come to the removal.
  for (let done = await redact(); done.code !== 0; done = await redact()) t.match(done.stderr, /has not come to the removal/)
  await untilGoneFrom(folder.path)
  t.pass('no file has a word of hers')
  await showOthers(serving)
  for (const pid of processes)
    t.strictSame(await memory.wordsIn(pid), [], `the memory of ${pid === serving.pid ? 'the supervisor' : 'a query process'}`)
})
