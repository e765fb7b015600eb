import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { Serving } from '../serving/program.js'

/** A request and its answer, as the README shows them: a block with `curl`, then a block with JSON. */
const EXAMPLE = /```sh\ncurl '([^']+)'\n```\n\n```json\n(.+?)```/gs

t.test('the five requests of the README get the answers it shows', async (t) => {
  const examples = [...readFileSync('README.md', 'utf8').matchAll(EXAMPLE)].map(([, url = '', answer = '']) => ({
    url,
    answer: JSON.parse(answer),
  }))
  t.equal(examples.length, 5)
  const folder = await temporaryFolder()
  t.teardown(() => removeFolder(folder))
  // What the demo says of itself must not depend on which ports are free here.
  const serving = await Serving.start(t, folder, ['--demo', '--web-url', 'http://127.0.0.1:3001', '--public-domain', 'localhost:3001'])
  await serving.ready()
  for (const { url, answer } of examples) {
    const response = await fetch(url.replace('127.0.0.1:3000', `127.0.0.1:${serving.api}`))
    t.match(await response.json(), answer, url)
  }
})

t.test('every file and folder the README points to is there', async (t) => {
  const paths = [...readFileSync('README.md', 'utf8').matchAll(/\]\(([^)#:]+)[)#]/g)].map(([, path = '']) => path)
  t.ok(paths.length > 5)
  for (const path of paths) t.ok(existsSync(path), path)
})
