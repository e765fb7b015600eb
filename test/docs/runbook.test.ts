import t from 'tap'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { MISTAKES, play } from './upstream-mistakes.js'

for (const mistake of MISTAKES)
  t.test(`the runbook, as written: ${mistake.heading}`, async (t) => {
    const folder = await DataFolder.open(t)
    const serving = await LocalServing.start(t, folder.path)
    await serving.ready()
    await play(
      t,
      {
        folder: folder.path,
        run: (command, ...args) => vitrine([command, ...args, '--data-dir', folder.path]),
        // The log refuses the same id, but another program may have written the same event under another one.
        repeat: (record) => folder.append([{ ...record, id: `${record.id} again` }]),
        caughtUp: () => folder.caughtUp(),
        apiPort: serving.api,
      },
      mistake,
    )
  })
