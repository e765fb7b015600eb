/** How a command asks the leaders of projections for something, and waits until it is done. */

import { setTimeout as delay } from 'node:timers/promises'
import { buildInProcess } from '../compose/generation-builder.js'
import { createLogger, openDocuments, openLog } from '../compose/stores.js'
import type { Projection } from '../engine/definition/projection.js'
import { Projector } from '../engine/leader/projector.js'
import { type Order, type Request, RequestStore } from '../engine/requests/request-store.js'
import { plural } from '../lib/plural.js'
import type { Lease } from '../ports/document-store.js'
import { type Arguments, isUserError } from './command-line.js'
import { InterruptListener } from './interrupt.js'
import type { Io, OutputStream } from './io.js'

const POLL_MS = 100

/** Asks, waits, and says how it went; the exit code. */
export async function submitAndReport(args: Arguments, asked: readonly Projection[], order: Order): Promise<number> {
  const settled = await submitAndWait(args, asked, order)
  if (args.json) args.io.print(JSON.stringify(settled))
  else for (const request of settled) args.io.print(describeOutcome(request))
  return settled.every(({ state }) => state === 'done') ? 0 : 1
}

/**
 * Leaves a request for each projection and waits for all of them. Meanwhile this process stands by to lead: where
 * nobody else does, or where the leader dies on the way, it carries the request out itself. A request outlives whoever
 * interrupts this, and a store that is away for too long, and that is said.
 */
export async function submitAndWait(
  { config, io }: Pick<Arguments, 'config' | 'io'>,
  asked: readonly Projection[],
  order: Order,
  patienceMs?: number,
): Promise<readonly Request[]> {
  const log = await openLog(config)
  const documents = await openDocuments(config)
  const projector = new Projector(asked, log, documents, createLogger({ ...config, LOG_LEVEL: 'silent' }), {
    buildGeneration: buildInProcess(config),
  })
  const watch = new RequestProgress(io.stderr)
  const interruption = new InterruptListener()
  let open: Request[] = []
  try {
    const requests = new RequestStore(documents)
    for (const { name, version } of asked) open.push(await requests.submit(name, version, order))
    for (const request of open) warnAboutOtherRate(io, request, order)
    projector.start()
    const enquiry = new RequestPoller(requests, open, patienceMs)
    for (;;) {
      const found = await enquiry.poll()
      open = found.filter(({ state }) => state === 'open')
      if (open.length === 0) return found
      if (interruption.signal !== null) {
        watch.end()
        io.warn(describeUnfinished(open, await documents.leases().catch(() => null), projector.holder))
        break
      }
      watch.show(open)
      await delay(POLL_MS)
    }
  } catch (error) {
    watch.end()
    if (open.length > 0) io.warn(describeUnfinished(open, null, projector.holder))
    throw error
  } finally {
    watch.end()
    await projector.stop()
    await documents.close()
    await log.close()
    interruption.stopListening()
  }
  return interruption.exitBySignal()
}

/** A rebuild that has been asked for already keeps the pace it was asked for with. */
function warnAboutOtherRate(io: Io, { projection, order: joined }: Request, order: Order): void {
  if (joined.kind !== 'rebuild' || order.kind !== 'rebuild' || joined.maxRate === order.maxRate) return
  const pace = joined.maxRate === null ? 'as fast as it can' : `at most ${plural(joined.maxRate, 'event')} per second`
  const change = `"vitrine rebuild ${projection} --abort" ends it, to begin at another pace`
  io.warn(`${projection} is being rebuilt already, ${pace}, and goes on like that: ${change}.`)
}

/** `leases` is `null` where nobody knows. */
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

function describeOutcome({ projection, order, state, outcome, poison }: Request): string {
  const lines = [`${projection}: ${order.kind} ${state}${outcome === null ? '' : `, ${outcome}`}`]
  for (const { aggregate, position, message } of poison) lines.push(`  ${aggregate} at position ${position}: ${message}`)
  return lines.join('\n')
}

/** A line on standard error about the requests under way, with rate and time left. Silent when nobody watches. */
class RequestProgress {
  readonly #stderr: OutputStream
  readonly #seen = new Map<string, { phase: string; position: number; at: number }>()
  #shown = false

  constructor(stderr: OutputStream) {
    this.#stderr = stderr
  }

  show(open: readonly Request[]): void {
    if (!this.#stderr.isTTY) return
    this.#shown = true
    this.#stderr.write(`\r\u001b[2K${open.map((request) => this.#describe(request)).join(' · ')}`)
  }

  /** Clears the line, so that nothing covers what is printed next. */
  end(): void {
    if (this.#shown) this.#stderr.write('\r\u001b[2K')
    this.#shown = false
  }

  #describe({ id, projection, phase, position, total }: Request): string {
    const before = this.#seen.get(id)
    const first = before?.phase === phase ? before : { phase, position, at: Date.now() }
    this.#seen.set(id, first)
    if (phase !== 'loading' && phase !== 'catching up') return `${projection}: ${phase}`
    const rate = (position - first.position) / Math.max(0.001, (Date.now() - first.at) / 1000)
    const left = rate > 0 ? `, ${Math.round(rate).toLocaleString('en')}/s, ${Math.ceil((total - position) / rate)} s left` : ''
    return `${projection}: ${phase} ${position.toLocaleString('en')} of ${total.toLocaleString('en')}${left}`
  }
}

/** Longer than a store is away for an election, or to be started again. */
const OUTAGE_LIMIT_MS = 60_000

/** Asks again and again what has become of requests, also where the store does not answer for a while. */
export class RequestPoller {
  readonly #requests: Pick<RequestStore, 'all'>
  readonly #outageLimitMs: number
  #known: readonly Request[]
  #answeredAt = performance.now()

  constructor(requests: Pick<RequestStore, 'all'>, placed: readonly Request[], patienceMs = OUTAGE_LIMIT_MS) {
    this.#requests = requests
    this.#known = placed
    this.#outageLimitMs = patienceMs
  }

  /** The requests as they were last seen. Throws what has kept the store from answering once it has taken too long. */
  async poll(): Promise<readonly Request[]> {
    try {
      const all = await this.#requests.all()
      this.#known = this.#known.flatMap(({ id }) => all.find((request) => request.id === id) ?? [])
      this.#answeredAt = performance.now()
    } catch (error) {
      if (!isUserError(error) || performance.now() - this.#answeredAt >= this.#outageLimitMs) throw error
    }
    return this.#known
  }
}
