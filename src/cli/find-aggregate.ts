import { findAggregate } from '../compose/live-models.js'
import { withDocuments } from '../compose/stores.js'
import { type Arguments, CommandError } from './command-line.js'

export const AGGREGATE_USAGE = 'creation/ID | creator/ID | category/SLUG | HANDLE/SLUG | @HANDLE | URL | OWN_AGGREGATE/ID'

/** A URL of an answer or a page, such as `http://haeunoh.localhost:3001/tide-dial`, as `@haeunoh/tide-dial`. */
function withoutHost(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return text
  const { hostname, pathname } = new URL(text)
  const path = pathname.replace(/^\/|\/$/g, '')
  if (path.startsWith('@')) return path
  const [handle] = hostname.split('.')
  return path === '' ? `@${handle}` : `@${handle}/${path}`
}

/** The aggregate that an operator means. */
export async function aggregateOf({ config, models }: Arguments, text: string): Promise<{ kind: string; id: string }> {
  const { aggregates } = models.events
  const forms = `creation/c_81 (${aggregates.join(', ')}), or by its address: haeunoh/tide-dial, @haeunoh or its URL`
  const misnamed = () => new CommandError(`name one aggregate such as ${forms}`)
  const [, kind, id] = /^(\w+)\/(.+)$/.exec(text) ?? []
  const known = aggregates.find((candidate) => candidate === kind)
  if (known !== undefined && id !== undefined) return { kind: known, id }
  // A handle that is also a kind of aggregate needs the "@".
  const [, at, handle, slug] = /^(@?)([^/@]+)(?:\/([^/]+))?$/.exec(withoutHost(text)) ?? []
  if (handle === undefined || (at === '' && slug === undefined)) throw misnamed()
  const found = await withDocuments(config, (documents) => findAggregate(documents, handle, slug))
  if (found === undefined)
    throw new CommandError(`the feed model, which knows addresses, is not built yet: give an id such as creation/c_81`)
  if (found === null)
    throw new CommandError(`${slug === undefined ? 'no creator has the handle' : 'no creation has the address'} "${text}"`)
  return found
}
