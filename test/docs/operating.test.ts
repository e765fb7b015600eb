import { readFileSync } from 'node:fs'
import t from 'tap'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { erased, published, registered } from '../spec/events.js'
import { embedded, MISTAKES, play } from './upstream-mistakes.js'

/** The commands in the blocks of the page, one a line. */
const COMMANDS = [...readFileSync('docs/operating.md', 'utf8').matchAll(/^npx vitrine (.+)$/gm)].map(([, line = '']) => line.split(' '))

t.test('the commands of the page on operating work in the order it shows them', async (t) => {
  t.ok(COMMANDS.length >= 7)
  const folder = await DataFolder.of(t, registered('u_7'), published('c_81', { by: 'u_7' }), erased('u_7'))
  await folder.project()
  for (const args of COMMANDS) {
    const { code, stdout, stderr } = await vitrine([...args, '--data-dir', folder.path])
    t.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
  }
})

for (const mistake of MISTAKES)
  t.test(`the runbook, as written: ${mistake.heading}`, async (t) => {
    const folder = await DataFolder.open(t)
    const serving = await LocalServing.start(t, folder.path)
    await serving.ready()
    await play(t, embedded(folder, serving.api), mistake)
  })
