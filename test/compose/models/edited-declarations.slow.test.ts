/** What a person sees who edits a custom model and forgets its version. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving, spawnVitrine } from '../../harness/program.js'

t.test('status, doctor and the log tell, and a rebuild ends it', async (t) => {
  const folder = await DataFolder.open(t)
  const models = join(folder.path, 'shelves')
  await cp('examples/shelves', models, { recursive: true })
  const env = { MODELS: models }
  const run = (...args: string[]) => spawnVitrine([...args, '--data-dir', folder.path], { env, input: '' })
  const event = {
    specversion: '1.0',
    id: '1',
    source: '/test',
    type: 'shelf.opened.v1',
    subject: 'shelf/s_1',
    time: '2026-03-01T00:00:00Z',
  }
  const data = { shelfId: 's_1', creatorId: 'u_1', title: 'Quinces' }
  const line = JSON.stringify({ ...event, sequence: 1, data })
  t.equal((await spawnVitrine(['publish', '-', '--data-dir', folder.path], { env, input: line })).code, 0)
  const served = async () => {
    const serving = await Serving.start(t, folder.path, [], env)
    await serving.ready()
    t.equal(await serving.end('SIGTERM'), 0)
    return serving.stderr
  }
  t.notMatch(await served(), /was edited/)
  t.notMatch((await run('doctor')).stdout, /was edited/)

  const source = await readFile(join(models, 'index.ts'), 'utf8')
  await writeFile(join(models, 'index.ts'), source.replace("title: latest('')", "title: first('')"))
  t.match((await run('status')).stdout, 'shelves was edited, but still has version 1')
  const doctor = await run('doctor')
  t.equal(doctor.code, 1)
  t.match(doctor.stdout, /shelves was edited, but still has version 1\n +→ raise its version, or run "vitrine rebuild" for it/)
  t.match(await served(), /shelves was edited, but still has version 1: raise it, or run/)
  t.equal((await run('rebuild', 'shelves')).code, 0)
  t.notMatch((await run('status')).stdout, /was edited/)
})
