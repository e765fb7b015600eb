import { Counter, Gauge, type Registry } from 'prom-client'
import type { CacheStats } from '../operations/cache/answer-cache.js'

const NOTHING: CacheStats = { hits: 0, stale: 0, misses: 0, evictions: 0, bytes: 0, answers: 0 }

/** Counted where the answers are given, which is too often to count twice; looked at when somebody asks. */
export class CacheMetrics {
  #figures: () => CacheStats = () => NOTHING

  constructor(registry: Registry) {
    const registers = [registry]
    const figures = () => this.#figures()
    new Counter({
      name: 'vitrine_cache_reads_total',
      help: 'Public reads answered from memory (hit, or stale: up to a second behind) and made anew (miss).',
      labelNames: ['outcome'],
      registers,
      collect() {
        const { hits, stale, misses } = figures()
        this.reset()
        this.inc({ outcome: 'hit' }, hits)
        this.inc({ outcome: 'stale' }, stale)
        this.inc({ outcome: 'miss' }, misses)
      },
    })
    new Counter({
      name: 'vitrine_cache_evictions_total',
      help: 'Answers dropped for want of room.',
      registers,
      collect() {
        this.reset()
        this.inc(figures().evictions)
      },
    })
    new Gauge({
      name: 'vitrine_cache_bytes',
      help: 'What the kept answers take up.',
      registers,
      collect() {
        this.set(figures().bytes)
      },
    })
    new Gauge({
      name: 'vitrine_cache_answers',
      help: 'Answers kept.',
      registers,
      collect() {
        this.set(figures().answers)
      },
    })
  }

  follow(figures: () => CacheStats): void {
    this.#figures = figures
  }
}
