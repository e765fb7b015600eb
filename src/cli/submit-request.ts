/** Submits requests to the leaders of projections and waits until they are done. */

import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../compose/logger.js'
import { createProjector } from '../compose/projector/projector.js'
import { withStores } from '../compose/stores.js'
import type { Projection } from '../engine/definition/projection.js'
import { type Order, type Request, RequestStore } from '../engine/requests/request-store.js'
import { errorMessage, plural } from '../lib/message-text.js'
import { heldLeases, type Lease } from '../ports/coordination.js'
import type { EventLog } from '../ports/event-log.js'
import { type Arguments, isUserError } from './command-line.js'
import { InterruptListener, type Io } from './io.js'
import { describeRequest, StatusLine } from './progress.js'

const POLL_MS = 100

/** Submits, waits and prints the outcome; returns the exit code. What was `found` before is part of the JSON. */
export async function submitAndReport(args: Arguments, asked: readonly Projection[], order: Order, found?: object): Promise<number> {
  const settled = asked.length === 0 ? [] : await submitAndWait(args, asked, order)
  if (args.json) args.io.print(JSON.stringify(found === undefined ? settled : { ...found, requests: settled }))
  else for (const request of settled) args.io.print(describeOutcome(request))
  return settled.every(({ state }) => state === 'done') ? 0 : 1
}

/**
 * Submits a request for each projection and waits for all of them. While it waits, this process is ready to lead: without
 * another leader, or if that one dies, it carries the request out itself. A request stays open if this is interrupted or
 * the store is away for too long, and a warning says so.
 */
export async function submitAndWait(
  { config, io }: Pick<Arguments, 'config' | 'io'>,
  asked: readonly Projection[],
  order: Order,
  outageLimitMs?: number,
): Promise<readonly Request[]> {
  const interrupt = new InterruptListener()
  const settled = await withStores(config, async ({ log, documents }) => {
    const logger = createLogger({ ...config, LOG_LEVEL: 'silent' })
    const projector = createProjector(config, asked, { log, documents }, logger)
    const progress = new StatusLine(io.stderr)
    interrupt.listen()
    let open: Request[] = []
    try {
      const requests = new RequestStore(documents)
      for (const { name, version } of asked) open.push(await requests.submit(name, version, order))
      for (const request of open) warnAboutOtherRate(io, request, order)
      projector.start()
      const poll = requestPoller(requests, open, outageLimitMs)
      const warnOfWait = waitWarning(io, log)
      for (;;) {
        const found = await poll()
        open = found.filter(({ state }) => state === 'open')
        if (open.length === 0) return found
        if (interrupt.signal !== null) {
          progress.end()
          io.warn(describeUnfinished(open, await heldLeases(documents).catch(() => null), projector.holder))
          return null
        }
        progress.draw(() => open.map(describeRequest).join(' · '))
        await warnOfWait(open)
        await delay(POLL_MS)
      }
    } catch (error) {
      progress.end()
      if (open.length > 0) io.warn(describeUnfinished(open, null, projector.holder))
      throw error
    } finally {
      progress.end()
      await projector.stop()
    }
  }).finally(() => interrupt.stopListening())
  return settled ?? interrupt.exitBySignal()
}

/** A rebuild that is under way keeps its own rate. */
function warnAboutOtherRate(io: Io, { projection, order: joined }: Request, order: Order): void {
  if (joined.kind !== 'rebuild' || order.kind !== 'rebuild' || joined.maxRate === order.maxRate) return
  const pace = joined.maxRate === null ? 'as fast as it can' : `at most ${plural(joined.maxRate, 'event')} per second`
  const change = `"vitrine rebuild ${projection} --abort" ends it, to begin at another pace`
  io.warn(`${projection} is being rebuilt already, ${pace}, and goes on like that: ${change}.`)
}

/** Long enough for a leader to begin, or to go on. */
const SILENT_MS = 3000
/** A log that does not answer by then is not heard. */
const ANSWER_MS = 1500

/** Says once that nothing goes on because the log is not heard. The request stays: that may pass. */
function waitWarning(io: Io, log: EventLog): (open: readonly Request[]) => Promise<void> {
  let reached = ''
  let until = 0
  let warned = false
  return async (open) => {
    const now = open.map(({ phase, position }) => `${phase} ${position}`).join()
    if (now !== reached) until = performance.now() + SILENT_MS
    reached = now
    if (warned || performance.now() < until) return
    const silence = delay(ANSWER_MS, 'it does not answer')
    const why = await Promise.race([log.bounds().then(() => null, errorMessage), silence])
    until = performance.now() + SILENT_MS
    if (why === null) return
    warned = true
    const names = open.map(({ projection }) => projection).join(', ')
    io.warn(`The ${open[0]?.order.kind} of ${names} waits for the log: ${why}.`)
  }
}

/** `leases` is null if the store cannot tell. */
function describeUnfinished(open: readonly Request[], leases: readonly Lease[] | null, own: string): string {
  const kind = open[0]?.order.kind ?? ''
  const names = open.map(({ projection }) => projection)
  const elsewhere = leases?.some(({ projection, holder }) => names.includes(projection) && holder !== own)
  const next = 'the next projector goes on with it, be it "vitrine serve" or this command again'
  const where =
    leases === null
      ? `goes on without this command: where no projector leads it now, ${next}`
      : elsewhere
        ? 'goes on in the projector that leads it'
        : `stops here: ${next}`
  const ways = [
    '"vitrine status --watch" shows it',
    ...(kind === 'rebuild' || kind === 'rollback' ? [`"vitrine rebuild ${names.length === 1 ? names[0] : 'all'} --abort" ends it`] : []),
  ]
  return `The ${kind} of ${names.join(', ')} ${where}; ${ways.join(', ')}.`
}

function describeOutcome({ projection, order, state, outcome, poison }: Request): string[] {
  return [
    `${projection}: ${order.kind} ${state}${outcome === null ? '' : `, ${outcome}`}`,
    ...poison.map(({ aggregate, position, message }) => `  ${aggregate} at position ${position}: ${message}`),
  ]
}

/** Longer than an election or a restart of the store takes. */
const OUTAGE_LIMIT_MS = 60_000

/** Returns the requests as last seen, and tolerates a store that does not answer for a while; then it throws the store's error. */
function requestPoller(requests: RequestStore, submitted: readonly Request[], outageLimitMs = OUTAGE_LIMIT_MS) {
  let known = submitted
  let answeredAt = performance.now()
  return async (): Promise<readonly Request[]> => {
    try {
      const all = await requests.all()
      known = known.flatMap(({ id }) => all.find((request) => request.id === id) ?? [])
      answeredAt = performance.now()
    } catch (error) {
      if (!isUserError(error) || performance.now() - answeredAt >= outageLimitMs) throw error
    }
    return known
  }
}
