import { decode, type EventTypes, type Position } from '../../events/index.js'
import type { NewRecord } from '../../ports/event-log.js'
import { type DemoEvent, ModelsError } from './define-models.js'
import type { ModelSet } from './model-set.js'

/** The demo data, and after them what custom models add for the creators and creations in them. */
export function* withOwnDemoEvents(demo: Iterable<NewRecord>, { own, events }: ModelSet): Generator<NewRecord> {
  const ids = { creator: new Set<string>(), creation: new Set<string>() }
  let time = 0
  for (const record of demo) {
    const [kind, id = ''] = record.subject.split('/')
    if (kind === 'creator' || kind === 'creation') ids[kind].add(id)
    time = Math.max(time, record.appendedAt ?? 0)
    yield record
  }
  const community = { creators: [...ids.creator], creations: [...ids.creation] }
  const sequences = new Map<string, number>()
  for (const { demo: ownDemo } of own) for (const event of ownDemo(community)) yield toRecord(event, events, sequences, time)
}

/** The id of an event is its aggregate and revision, as in our demo data: publishing it twice adds nothing. */
function toRecord({ name, data, time }: DemoEvent, types: EventTypes, sequences: Map<string, number>, last: number): NewRecord {
  const type = types.get(name)
  if (type === undefined) throw new ModelsError(`the demo data hold "${name}", which is no event type`)
  const subject = `${type.aggregate}/${String(data[type.key])}`
  const sequence = (sequences.get(subject) ?? 0) + 1
  sequences.set(subject, sequence)
  const at = time ?? last
  const id = `${subject.replace('/', '.')}.${sequence}`
  const payload = JSON.stringify({
    ...{ specversion: '1.0', id, source: '/vitrine/demo', type: `${name}.v${type.version}` },
    ...{ subject, time: new Date(at).toISOString(), sequence, datacontenttype: 'application/json', data },
  })
  const record = { id, subject, payload, appendedAt: at }
  const decoded = decode({ ...record, position: 1 as Position }, types)
  if (decoded.outcome !== 'event')
    throw new ModelsError(`the demo data hold a "${name}" that cannot be folded: ${'reason' in decoded ? decoded.reason : 'unknown'}`)
  return record
}
