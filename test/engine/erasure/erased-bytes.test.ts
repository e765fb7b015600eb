/** Semantics 8, to the byte: what was erased is in no free page and no write-ahead log of any file of the models. */
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { Projector } from '../../../src/engine/leader/projector.js'
import { RequestStore } from '../../../src/engine/requests/request-store.js'
import { holdsBytes } from '../../adapters/folder.js'
import { manyCreations } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { eventually } from '../../ports/subject.js'
import { edited, erased, handleChanged, liked, poison, profileChanged, published, registered, type Told } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { redactCreator } from '../../support/redact.js'

const WORDS = ['Quincewood', 'quincewood', 'quincetag', 'Membrillar']

/** Between those of others and of every length, so that pages are split, filled and emptied around them. */
function hers(count: number): Told[] {
  const told: Told[] = [
    registered('zz9', { handle: 'quincewood', displayName: 'Zelda Quincewood', bio: 'Quincewood was here. '.repeat(20) }),
  ]
  for (let i = 0; i < count; i++) {
    const words = { en: `Quincewood number ${i} `.repeat(1 + ((i * 7) % 60)), es: `Membrillar ${i}` }
    told.push(
      published(`c${String(i * 3).padStart(3, '0')}z`, {
        by: 'zz9',
        title: { en: `Quincewood ${i}` },
        description: words,
        tags: ['quincetag', `quincetag${i}`],
      }),
    )
    if (i % 3 === 0)
      told.push(edited(`c${String(i * 3).padStart(3, '0')}z`, { description: { en: `Quincewood again ${i}`.repeat(i % 9) } }))
    told.push(liked(`c${String(i * 3).padStart(3, '0')}z`, 'ada'))
  }
  return [...told, profileChanged('zz9', { bio: 'Quincewood, shortly.' }), handleChanged('zz9', 'quincewood-two')]
}

t.test('nothing of an erased creator is left in any file', (t) => leavesNothing(t, false))

t.test('nor where a separate thread copies the write-ahead logs', (t) => leavesNothing(t, true))

async function leavesNothing(t: Test, checkpointInThread: boolean): Promise<void> {
  const folder = await DataFolder.open(t, undefined, { checkpointInThread })
  const models = join(folder.path, 'models')
  const script = new Script()
  const crowd = manyCreations(240)
  const zelda = hers(80)
  const mixed = crowd.flatMap((told, i) => (zelda[i] === undefined ? [told] : [told, zelda[i]]))
  await folder.append(
    script.write(...mixed, ...zelda.slice(crowd.length), poison(edited('c003z', { title: { en: 'Quincewood, poisoned' } }))),
  )
  const projector = new Projector(projections, folder.log, folder.documents, pino({ level: 'silent' }))
  t.teardown(() => projector.stop())
  projector.start()
  await folder.caughtUp()
  const requests = new RequestStore(folder.documents)
  for (const { name, version } of projections) await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
  await eventually(async () => (await requests.all()).every(({ state }) => state === 'done'))
  for (const word of WORDS) t.ok(await holdsBytes(models, word), `${word} was there`)
  // A repair is written down with the documents it is about.
  const found = { _id: 'c003z', title: { en: 'Quincewood, repaired' } }
  const repair = { kind: 'repair' as const, documents: [{ collection: 'items', id: 'c003z', found, right: found }] }
  await requests.submit(feedProjection.name, feedProjection.version, repair)
  await eventually(async () => (await requests.all()).every(({ state }) => state === 'done'))
  await eventually(async () => !(await holdsBytes(models, 'Quincewood, repaired')))

  await folder.append(script.write(erased('zz9'), liked('c001', 'bob')))
  const { last } = await folder.log.bounds()
  await folder.caughtUp()
  await eventually(async () => {
    const retired = await Promise.all(projections.map(({ name }) => retiredPosition(folder, name)))
    return retired.every((position) => position >= last - 1)
  })
  for (const word of WORDS) await eventually(async () => !(await holdsBytes(models, word)))
  await redactCreator(folder.log, folder.documents, projections, 'zz9', () => {})
  await projector.stop()
  for (const word of WORDS) t.notOk(await holdsBytes(folder.path, word), word)
}

async function retiredPosition(folder: DataFolder, name: string): Promise<number> {
  const retired = (await folder.documents.generations(name)).find(({ state }) => state === 'retired')
  if (retired === undefined) return Number.POSITIVE_INFINITY
  const opened = await folder.documents.openGeneration(retired, [])
  return (await opened.checkpoint().finally(() => opened.close())).position
}
