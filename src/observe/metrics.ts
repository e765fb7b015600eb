import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { JobSummary } from '../ask/jobs/job-projection.js'
import type { CacheStats } from '../operations/cache/answer-cache.js'
import type { IntegrityCounts } from '../ports/integrity-report.js'
import { rebuildProgress, type StatusSample } from './engine-status.js'
import { PROJECTION_STATES } from './projection-state.js'
import type { BatchMetrics } from './projector-metrics.js'

/** From half a millisecond, which a cached read stays below, to the longest wait for a position. */
const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const WORK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const BATCH_EVENTS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 25_000]

const INTEGRITY_COUNTS = ['gaps', 'givenUp', 'late', 'duplicates', 'conflicts'] as const
const JOB_STATES = ['queued', 'running', 'completed', 'failed'] as const

const NO_STATS: CacheStats = { hits: 0, stale: 0, misses: 0, evictions: 0, bytes: 0, answers: 0 }

/** The values of {@link Metrics}, in a form that can be sent to another process. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The Prometheus metrics of this process. docs/operating.md lists the names. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #events = this.#counter('vitrine_events_total', 'Events folded, by how they ended.', ['projection', 'outcome'])
  readonly #batchEvents = this.#histogram('vitrine_batch_events', 'Events per commit.', ['projection'], BATCH_EVENTS)
  readonly #fold = this.#histogram('vitrine_fold_seconds', 'Time to load and fold a batch.', ['projection'], WORK_SECONDS)
  readonly #commit = this.#histogram('vitrine_commit_seconds', 'Time to commit a batch.', ['projection'], WORK_SECONDS)
  readonly #position = this.#gauge('vitrine_projection_position', 'Log position the live generation reflects.', ['projection'])
  readonly #lag = this.#gauge('vitrine_projection_lag_events', 'Events of the log that are not in the model yet.', ['projection'])
  readonly #lagSeconds = this.#gauge(
    'vitrine_projection_lag_seconds',
    'How long the oldest of them has been in the log, or the log was not read.',
    ['projection'],
  )
  readonly #generation = this.#gauge('vitrine_projection_generation', 'The generation readers see.', ['projection'])
  readonly #state = this.#gauge('vitrine_projection_state', '1 for the state it is in.', ['projection', 'state'])
  readonly #parked = this.#gauge('vitrine_parked_aggregates', 'Aggregates with a dead letter.', ['projection'])
  readonly #integrity = {
    gaps: this.#gauge('vitrine_integrity_gaps', 'Aggregates with sequences that are missing.'),
    givenUp: this.#gauge('vitrine_integrity_given_up', 'Missing sequences that are only counted, because there were too many gaps.'),
    late: this.#gauge('vitrine_integrity_late', 'Events that came after one of their aggregate with a higher sequence.'),
    duplicates: this.#gauge('vitrine_integrity_duplicates', 'Events that came again.'),
    conflicts: this.#gauge('vitrine_integrity_conflicts', 'Sequences with two different events.'),
  }
  readonly #rebuild = this.#gauge('vitrine_rebuild_progress_ratio', 'How far a rebuild or rollback has come.', ['projection'])
  readonly #rebuildLeft = this.#gauge('vitrine_rebuild_remaining_seconds', 'How long it will take at this pace.', ['projection'])
  readonly #logLast = this.#gauge('vitrine_log_last_position', 'The last position of the log.')
  readonly #logUp = this.#gauge('vitrine_log_reachable', '1 while the log answers.')
  readonly #storeUp = this.#gauge('vitrine_store_reachable', '1 while the read models answer.')
  readonly #ready = this.#gauge('vitrine_ready', '1 while this process is ready.')
  readonly #requests = this.#counter('vitrine_http_requests_total', 'Requests answered.', ['host', 'operation', 'status'])
  readonly #latency = this.#histogram('vitrine_http_request_seconds', 'Time to answer.', ['host', 'operation'], REQUEST_SECONDS)
  readonly #operations = this.#histogram(
    'vitrine_operation_seconds',
    'Time of a public read that had to be made, on whichever surface.',
    ['operation', 'outcome'],
    REQUEST_SECONDS,
  )
  readonly #limited = this.#counter('vitrine_rate_limited_total', 'Requests refused for being too many.', ['class'])
  readonly #shed = this.#counter('vitrine_shed_total', 'Requests, or connections, turned away because there was too much to do.', [
    'host',
    'reason',
  ])
  readonly #ownReadFaults = this.#counter(
    'vitrine_own_read_faults_total',
    'Custom reads that held the event loop for longer than a second (held), or threw where nothing awaits it (thrown).',
    ['operation', 'fault'],
  )
  readonly #answers = this.#counter('vitrine_ask_answers_total', 'Questions, by what came of them.', ['outcome'])
  readonly #jobs = this.#gauge('vitrine_ask_jobs', 'Ask jobs; finished ones of the last day.', ['state'])
  readonly #oldestJob = this.#gauge('vitrine_ask_jobs_oldest_seconds', 'Age of the oldest unfinished job.', ['state'])
  readonly #cacheReads = this.#counter(
    'vitrine_cache_reads_total',
    'Public reads answered from memory (hit, or stale: up to a second behind) and made anew (miss).',
    ['outcome'],
  )
  readonly #cacheEvictions = this.#counter('vitrine_cache_evictions_total', 'Answers dropped for want of room.')
  readonly #cacheBytes = this.#gauge('vitrine_cache_bytes', 'What cached answers and documents take up.')
  readonly #cacheAnswers = this.#gauge('vitrine_cache_answers', 'Answers kept.')
  readonly #requestsInFlight = this.#gauge('vitrine_requests_in_flight', 'Admitted and queued requests of the public hosts.')
  readonly #actions = this.#counter('vitrine_admin_actions_total', 'What was asked for on the admin host.', ['action'])
  #cacheStats: () => CacheStats = () => NO_STATS
  #inFlight: () => number = () => 0
  #workerMetrics: () => Promise<MetricValues[]> = async () => []

  constructor() {
    this.#setIntegrity(null)
    for (const kind of ['public', 'agent', 'mcp', 'pages', 'pictures', 'other']) this.#limited.inc({ class: kind }, 0)
    for (const host of ['api', 'web']) for (const reason of ['late', 'crowded', 'connections']) this.#shed.inc({ host, reason }, 0)
  }

  /** CPU, memory, event loop and garbage collection. Call once per process. */
  collectProcessMetrics(): void {
    collectDefaultMetrics({ register: this.#registry, prefix: 'vitrine_' })
  }

  /** From now on the metrics show this cache, and these requests in flight. */
  follow(stats: () => CacheStats, inFlight: () => number = () => 0): void {
    this.#cacheStats = stats
    this.#inFlight = inFlight
  }

  recordBatch({ projection, outcomes, from, to, foldMs, commitMs }: BatchMetrics): void {
    for (const [outcome, count] of Object.entries(outcomes)) this.#events.inc({ projection, outcome }, count)
    this.#batchEvents.observe({ projection }, to - from)
    this.#fold.observe({ projection }, foldMs / 1000)
    this.#commit.observe({ projection }, commitMs / 1000)
  }

  recordRequest(host: string, operation: string, status: number, ms: number): void {
    this.#requests.inc({ host, operation, status })
    this.#latency.observe({ host, operation }, ms / 1000)
  }

  recordOperation(operation: string, outcome: string, ms: number): void {
    this.#operations.observe({ operation, outcome }, ms / 1000)
  }

  readonly recordRateLimited = (kind: string): void => this.#limited.inc({ class: kind })
  readonly recordShed = (host: string, reason: string): void => this.#shed.inc({ host, reason })
  readonly recordOwnReadFault = (operation: string, fault: 'held' | 'thrown'): void => this.#ownReadFaults.inc({ operation, fault })
  readonly recordAskAnswer = (outcome: string): void => this.#answers.inc({ outcome })
  readonly recordAdminAction = (action: string): void => this.#actions.inc({ action })

  /** What is not known has no value: a frozen one would say that all is well. */
  setStatus({ at, log, storeError, projections, integrity }: StatusSample): void {
    this.#logUp.set(log === null ? 0 : 1)
    this.#storeUp.set(storeError === null ? 1 : 0)
    if (log !== null) this.#logLast.set(log.last)
    this.#setIntegrity(integrity)
    for (const gauge of [this.#rebuild, this.#rebuildLeft, this.#lag, this.#lagSeconds]) gauge.reset()
    for (const status of projections) {
      const { projection } = status
      for (const state of Object.keys(PROJECTION_STATES)) this.#state.set({ projection, state }, status.state === state ? 1 : 0)
      if (status.position === null) continue
      this.#position.set({ projection }, status.position)
      if (status.lag !== null) this.#lag.set({ projection }, status.lag)
      if (status.lagSeconds !== null) this.#lagSeconds.set({ projection }, status.lagSeconds)
      this.#generation.set({ projection }, status.generation ?? 0)
      this.#parked.set({ projection }, status.parked)
      const progress = rebuildProgress(status.requests, at)
      if (progress === null) continue
      this.#rebuild.set({ projection }, progress.share)
      if (progress.secondsLeft !== null) this.#rebuildLeft.set({ projection }, progress.secondsLeft)
    }
  }

  /** Not a number while there is no such model: a zero would say that nothing is missing. */
  #setIntegrity(counts: IntegrityCounts | null): void {
    for (const name of INTEGRITY_COUNTS) this.#integrity[name].set(counts?.[name] ?? Number.NaN)
  }

  /** `null` while they cannot be followed. */
  setAskJobs(summary: JobSummary | null): void {
    if (summary === null) {
      this.#jobs.reset()
      this.#oldestJob.reset()
      return
    }
    for (const state of JOB_STATES) this.#jobs.set({ state }, summary[state])
    this.#oldestJob.set({ state: 'queued' }, summary.oldest_queued_s)
    this.#oldestJob.set({ state: 'running' }, summary.oldest_running_s)
  }

  /** In the text format of Prometheus. */
  async text(ready: boolean): Promise<{ type: string; text: string }> {
    this.#ready.set(ready ? 1 : 0)
    this.#readCache()
    const workers = await this.#workerMetrics()
    const registry = workers.length === 0 ? this.#registry : AggregatorRegistry.aggregate([await this.values(), ...workers])
    return { type: this.#registry.contentType, text: await registry.metrics() }
  }

  /** For the supervisor, which adds them up. */
  values(): Promise<MetricValues> {
    this.#readCache()
    return this.#registry.getMetricsAsJSON()
  }

  /** From now on `text` includes the metrics of these workers. */
  addWorkerMetrics(collect: () => Promise<MetricValues[]>): void {
    this.#workerMetrics = collect
  }

  /** On request: the cache counts already, and counting twice would cost the fast path. */
  #readCache(): void {
    const { hits, stale, misses, evictions, bytes, answers } = this.#cacheStats()
    this.#cacheReads.reset()
    for (const [outcome, count] of Object.entries({ hit: hits, stale, miss: misses })) this.#cacheReads.inc({ outcome }, count)
    this.#cacheEvictions.reset()
    this.#cacheEvictions.inc(evictions)
    this.#cacheBytes.set(bytes)
    this.#cacheAnswers.set(answers)
    this.#requestsInFlight.set(this.#inFlight())
  }

  #counter(name: string, help: string, labelNames: string[] = []) {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #gauge(name: string, help: string, labelNames: string[] = []) {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] })
  }

  #histogram(name: string, help: string, labelNames: string[], buckets: number[]) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] })
  }
}
