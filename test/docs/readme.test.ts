import { readFileSync } from 'node:fs'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { Serving } from '../harness/program.js'

/** A request and its answer, as the README shows them: a block with `curl`, then a block with JSON. */
const EXAMPLE = /```sh\ncurl '([^']+)'\n```\n\n```json\n(.+?)```/gs

t.test('the five requests of the README get the answers it shows', async (t) => {
  const examples = [...readFileSync('README.md', 'utf8').matchAll(EXAMPLE)].map(([, url = '', answer = '']) => ({
    url,
    answer: JSON.parse(answer),
  }))
  t.equal(examples.length, 5)
  const folder = folderWith()
  // What the demo says of itself must not depend on which ports are free here.
  const serving = await Serving.start(t, folder, ['--demo', '--web-url', 'http://127.0.0.1:3001', '--public-domain', 'localhost:3001'])
  await serving.ready()
  for (const { url, answer } of examples) {
    const response = await fetch(url.replace('127.0.0.1:3000', `127.0.0.1:${serving.api}`))
    t.match(await response.json(), answer, url)
  }

  await t.test('and the documents that it and docs/replay.md explain are in the demo', async (t) => {
    const told = ['README.md', 'docs/replay.md'].flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/npx vitrine explain ([^\s`]+)/g),
    ])
    t.ok(told.length > 3)
    for (const [command, name = ''] of told)
      t.match(await vitrine(['explain', name, '--projection', 'shares', '--data-dir', folder]), { code: 0, stderr: '' }, command)
  })
})

t.test('the example events can be published beside the demo as the README shows', async (t) => {
  const [, section = ''] = /^## Publishing events\n(.*?)^## /ms.exec(readFileSync('README.md', 'utf8')) ?? []
  const commands = [...section.matchAll(/^npx vitrine (publish [^#\n]+)/gm)].map(([, command = '']) => command.trim().split(' '))
  const [, url = ''] = /^curl '([^']+)'$/m.exec(section) ?? []
  t.equal(commands.length, 2)
  const folder = await DataFolder.open(t)
  // The beginning of every demo is enough to have something in the log.
  t.match(await vitrine(['seed', '--creators', '5', '--creations', '10', '--data-dir', folder.path]), { code: 0 })
  const serving = await LocalServing.start(t, folder.path)
  await serving.ready()
  for (const command of commands)
    t.match(await vitrine([...command, '--data-dir', folder.path]), { code: 0, stderr: '' }, command.join(' '))
  await folder.caughtUp()
  const response = await fetch(url.replace('127.0.0.1:3000', `127.0.0.1:${serving.api}`))
  t.match(await response.json(), { data: { title: 'Rain Counter', stats: { likes: 1, plays: 1 } } })
})

t.test('every URL that README and CONTRIBUTING say to open can be opened', async (t) => {
  const folder = folderWith()
  const serving = await LocalServing.start(t, folder)
  await serving.ready()
  const ports: Record<string, number> = { 3000: serving.api, 3001: serving.web, 3002: serving.admin }
  for (const file of ['README.md', 'CONTRIBUTING.md']) {
    const told = [...readFileSync(file, 'utf8').matchAll(/(?:<|open )http:\/\/127\.0\.0\.1:(\d+)([^\s>]*)/g)]
    t.ok(told.length > 0, file)
    for (const [address, port = '', path] of told) {
      t.equal((await fetch(`http://127.0.0.1:${ports[port]}${path}`)).status, 200, `${file}: ${address}`)
    }
  }
})
