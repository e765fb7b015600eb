import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { documentStoreContract } from '../ports/document-store.js'
import { PROJECTION } from '../ports/library-model.js'
import { removeFolder, temporaryFolder } from './folder.js'

await documentStoreContract(t, {
  name: 'SQLite',
  async open() {
    const folder = await temporaryFolder()
    const another = () => openSqliteStore(folder)
    return { store: await another(), another, remove: () => removeFolder(folder) }
  },
})

t.test('many snapshots at once leave few files open', { skip: !existsSync('/proc/self/fd') && 'no /proc' }, async (t) => {
  const folder = await temporaryFolder()
  const store = await openSqliteStore(folder)
  t.teardown(async () => {
    await store.close()
    await removeFolder(folder)
  })
  await store.promote(await store.createGeneration(PROJECTION, 1, []))
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  const snapshots = await Promise.all(Array.from({ length: 100 }, () => store.snapshot([PROJECTION])))
  t.ok(open() - before >= 100)
  for (const snapshot of snapshots) snapshot.release()
  t.ok(open() - before <= 50, `${open() - before} more than before`)
})
