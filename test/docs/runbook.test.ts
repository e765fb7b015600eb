import t from 'tap'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { embedded, MISTAKES, play } from './upstream-mistakes.js'

for (const mistake of MISTAKES)
  t.test(`the runbook, as written: ${mistake.heading}`, async (t) => {
    const folder = await DataFolder.open(t)
    const serving = await LocalServing.start(t, folder.path)
    await serving.ready()
    await play(t, embedded(folder, serving.api), mistake)
  })
