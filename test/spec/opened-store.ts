import type { Test } from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { folderWith } from '../adapters/folder.js'

/** An embedded store in its own folder. Closed after the test. */
export async function openedStore(t: Test): Promise<DocumentStore> {
  const store = await openSqliteStore(folderWith())
  t.teardown(() => store.close())
  return store
}
