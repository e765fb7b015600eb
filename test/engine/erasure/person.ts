/** A person who is in everything, and a service that has shown her everywhere. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { folderWith, holdsBytes } from '../../adapters/folder.js'
import { COMMUNITY } from '../../harness/community.js'
import type { Serving } from '../../harness/program.js'
import { eventually } from '../../ports/subject.js'
import {
  edited,
  followed,
  handleChanged,
  liked,
  played,
  poison,
  profileChanged,
  published,
  registered,
  scored,
  type Told,
} from '../../spec/events.js'

export const ID = 'zz9'

/** Words of hers and of nobody else, in every case that search and ask turn them into. */
export const WORDS = ['Quincewood', 'quincewood', 'QUINCEWOOD', 'Membrillar', 'membrillar', 'quincetag'] as const

export const LIFE: readonly Told[] = [
  ...COMMUNITY,
  registered(ID, { handle: 'quincewood', displayName: 'Zelda Quincewood', bio: 'Quincewood was here. '.repeat(20) }),
  published('hers', {
    by: ID,
    slug: 'quincewood-clock',
    kind: 'game',
    category: 'games',
    title: { en: 'Quincewood clock', es: 'Membrillar' },
    description: { en: 'A clock of quincewood. '.repeat(30) },
    tags: ['quincetag'],
  }),
  published('her-remix', { by: ID, slug: 'quincewood-maze', title: { en: 'Maze of Quincewood' }, remixOf: 'maze' }),
  published('of-hers', { by: 'ben', slug: 'other-clock', title: { en: 'Another clock' }, remixOf: 'hers' }),
  followed(ID, 'ben'),
  followed('ben', ID),
  liked('maze', ID),
  liked('hers', 'ben'),
  scored('maze', ID, 900),
  scored('hers', 'cleo', 20),
  played('hers'),
  edited('hers', { description: { en: 'Shorter, still of quincewood.' } }),
  profileChanged(ID, { bio: 'Quincewood, shortly.' }),
  handleChanged(ID, 'quincewood-two'),
  poison(edited('hers', { title: { en: 'Quincewood, poisoned' } })),
]

/** Every answer that may be kept in memory or in the event store, each with a word of hers in it. */
export async function showEverywhere(t: Test, { api, web }: Serving): Promise<{ jobId: string }> {
  // Each on its own connection: an open one keeps its last request.
  const headers = { connection: 'close' }
  const shows = async (response: Response) => t.match((await response.text()).toLowerCase(), /quincewood/, response.url)
  for (const path of [
    'community?q=quincewood',
    'community/landing',
    'user/quincewood-two',
    'user/ben/followers',
    'app/ben/Garden.Maze',
    'app/quincewood-two/quincewood-clock',
  ]) {
    for (const encoding of ['br', 'identity']) {
      await shows(await fetch(`http://127.0.0.1:${api}/public/share/${path}`, { headers: { ...headers, 'accept-encoding': encoding } }))
    }
  }
  for (const path of ['/@quincewood-two', '/@quincewood-two/quincewood-clock', '/text/user/quincewood-two']) {
    await shows(await fetch(`http://127.0.0.1:${web}${path}`, { headers }))
  }
  const post = (path: string, body: object, key: string) =>
    fetch(`http://127.0.0.1:${web}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })
  const profile = { id: 'a', operation: 'get_creator_profile', arguments: { handle: 'quincewood-two' } }
  const query = 'who made the Quincewood clock?'
  await shows(await post('/batch', { requests: [profile] }, 'batch'))
  await shows(await post('/ask', { query }, 'ask'))
  await shows(await post('/ask', { query, prefer: { streaming: true } }, 'stream'))
  const { job_id: jobId } = (await (await post('/ask/jobs', { query }, 'job')).json()) as { job_id: string }
  const answered = await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${web}/ask/jobs/${jobId}`, { headers })).text()
    return text.includes('"completed"') && text
  })
  t.match(answered, /Quincewood/)
  return { jobId }
}

/** Requests about others: engines and parsers keep the last text they worked on. */
export async function showOthers({ api, web }: Serving): Promise<void> {
  const headers = { connection: 'close', 'content-type': 'application/json' }
  for (let i = 0; i < 8; i++) {
    for (const path of ['community?q=maze', 'user/ben', 'app/ben/Garden.Maze', 'tags'])
      await fetch(`http://127.0.0.1:${api}/public/share/${path}`, { headers })
    for (const query of ['newest games', 'who is Ben?']) {
      await fetch(`http://127.0.0.1:${web}/ask`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    }
    await fetch(`http://127.0.0.1:${web}/@ben`, { headers })
  }
}

/** Waits until no file below a folder has a word of hers. */
export async function untilGoneFrom(folder: string): Promise<void> {
  for (const word of WORDS) await eventually(async () => !(await holdsBytes(folder, word)))
}

/** Node's flags for processes whose memory is searched, and where their snapshots go. */
export async function heapSnapshots() {
  const folder = folderWith()
  return {
    env: { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` },
    /** Her words in the memory of a process. */
    async wordsIn(pid: number): Promise<string[]> {
      const before = new Set(await readdir(folder))
      process.kill(pid, 'SIGUSR2')
      const name = await eventually(async () => (await readdir(folder)).find((file) => !before.has(file)))
      const snapshot = join(folder, name)
      // The last section of a snapshot is its strings.
      const text = await eventually(async () => {
        const content = await readFile(snapshot, 'utf8')
        return content.trimEnd().endsWith(']}') && content
      })
      return WORDS.filter((word) => text.includes(word))
    },
  }
}
