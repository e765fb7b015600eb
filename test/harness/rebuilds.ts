import type { Test } from 'tap'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import { Script } from '../spec/script.js'
import { COMMUNITY } from './community.js'
import { DataFolder } from './data-folder.js'

/** So slow that the rebuild runs for as long as the test. */
export const SLOWLY = ['--max-rate', '1']

/** A folder whose models are live. */
export async function builtFolder(t: Pick<Test, 'teardown'>): Promise<DataFolder> {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  await folder.project()
  return folder
}

/** Resolves when a projector has begun to fill a generation of the feed. */
export const rebuildUnderWay = (folder: DataFolder): Promise<void> =>
  folder.until(async () => (await new RequestStore(folder.documents).open('feed')).some(({ phase }) => phase === 'loading'))
