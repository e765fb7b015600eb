/** Commands of root beside a service that another user runs. */
import { execFile } from 'node:child_process'
import { chown, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { temporaryFolder } from '../adapters/folder.js'
import { environmentOf, MAIN, spawnVitrine } from '../harness/program.js'
import { onPath } from '../servers/binary.js'

/** The user "nobody" of most systems; any would do. */
const USER = 65534
const EVENTS = fileURLToPath(new URL('../../../examples/events.ndjson', import.meta.url))
const skip = process.getuid?.() !== 0 ? 'only root can act for another user' : (await onPath('setpriv')) === null && 'setpriv is not here'

/** Who may read everything and write nothing but its own: the folders above the program and the data may be closed to others. */
const AS_USER = [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']

/** The data folder of a service that runs as {@link USER}. */
async function dataOfAnother() {
  const parent = await temporaryFolder()
  await chown(parent, USER, USER)
  const data = join(parent, 'data')
  const run = (privileges: readonly string[], ...args: string[]) =>
    // The test runner's options for Node write files of its own.
    promisify(execFile)('setpriv', [...privileges, 'env', '-u', 'NODE_OPTIONS', process.execPath, MAIN, ...args, '--data-dir', data], {
      env: environmentOf({ TMPDIR: parent }),
    })
  return { parent, data, run, asUser: run.bind(null, AS_USER) }
}

async function owners(folder: string): Promise<Record<string, number>> {
  const paths = ['', ...(await readdir(folder, { recursive: true }))]
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await lstat(join(folder, path))).uid])))
}

const allOf = (found: Record<string, number>) => Object.fromEntries(Object.keys(found).map((path) => [path, USER]))

await t.test('leave files that the user can write', { skip }, async (t) => {
  const { parent, data, asUser } = await dataOfAnother()
  const asRoot = async (...args: string[]) => {
    const { code, stderr } = await spawnVitrine([...args, '--data-dir', data])
    t.equal(code, 0, `${args.join(' ')} ${stderr}`)
  }
  await asRoot('seed', '--creators', '5', '--creations', '10')
  await asUser('rebuild', 'all')
  for (const args of [
    ['rebuild', 'all'],
    ['publish', EVENTS],
    ['backup', join(parent, 'backup')],
  ])
    await asRoot(...args)
  const found = await owners(data)
  t.ok(
    Object.keys(found).some((path) => path.endsWith('_g2.db')),
    'root has built files',
  )
  t.strictSame(found, allOf(found))
  await asUser('rebuild', 'all')
})

await t.test('restore into the folder of the user', { skip }, async (t) => {
  const { data, asUser } = await dataOfAnother()
  await asUser('seed', '--creators', '5', '--creations', '10')
  await asUser('rebuild', 'all')
  const [backup, service] = [join(await temporaryFolder(), 'backup'), join(await temporaryFolder(), 'service')]
  await spawnVitrine(['backup', backup, '--data-dir', data])
  // Empty, as an operator prepares it, in a folder of root.
  await mkdir(service)
  await chown(service, USER, USER)
  const { code, stderr } = await spawnVitrine(['restore', backup, '--data-dir', service])
  t.equal(code, 0, stderr)
  const found = await owners(service)
  t.ok(join('log', 'events.db') in found)
  t.strictSame(found, allOf(found))
})

await t.test('are refused where root may not give files away', { skip }, async (t) => {
  const { data, run, asUser } = await dataOfAnother()
  await asUser('seed', '--creators', '5', '--creations', '10')
  const before = await owners(data)
  await t.rejects(run(['--bounding-set=-chown'], 'rebuild', 'all'), {
    code: 2,
    stderr: /^vitrine rebuild: \S+data belongs to user 65534, .*run this as that user\n$/,
  })
  t.strictSame(await owners(data), before, 'and nothing is left')
  await asUser('rebuild', 'all')
})
