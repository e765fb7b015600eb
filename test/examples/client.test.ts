/** The examples say how to run them, and do what they say. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { runningService } from '../client/running.js'
import { manyCreations } from '../harness/community.js'

await t.test('every program in the folder says the one command that runs it', async (t) => {
  const programs = readdirSync('examples').filter((name) => /\.(ts|mjs)$/.test(name))
  t.ok(programs.length > 1)
  for (const name of programs)
    t.match(readFileSync(`examples/${name}`, 'utf8'), new RegExp(`^ \\*   (node|npx vitrine .*) (\\./)?examples/${name}`, 'm'), name)
})

await t.test('the client runs beside a service', async (t) => {
  const { apiUrl, webUrl } = await runningService(t, { events: manyCreations(60) })
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/client.mjs'], {
    env: { PATH: process.env.PATH, API_URL: apiUrl, WEB_URL: webUrl },
  })
  t.equal(stderr, '')
  t.match(stdout, /^Trending, of 60: /m)
  t.match(stdout, /^No profile: No creator has this handle\.$/m)
  t.match(stdout, /^Refused: limit: /m)
  t.match(stdout, /20 USD/)
})
