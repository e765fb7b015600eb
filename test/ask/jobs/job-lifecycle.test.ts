import t from 'tap'
import { type AskJob, type AskJobEvent, evolve } from '../../../src/ask/jobs/job-events.js'
import { type AskJobCommand, decide, MAX_ATTEMPTS, MAX_JOB_AGE_MS } from '../../../src/ask/jobs/job-lifecycle.js'
import { answerTo, questionOf } from './questions.js'

const question = questionOf('tides')
const result = answerTo(question)
const LEASE = 1000

type Moment = [at: number, event: AskJobEvent]

const requested: AskJobEvent = { type: 'requested', data: { question } }
const started = (attempt: number, worker = 'a'): AskJobEvent => ({ type: 'started', data: { attempt, worker, leaseMs: LEASE } })
const attemptFailed = (attempt: number, retryInMs: number): AskJobEvent => ({
  type: 'attempt_failed',
  data: { attempt, reason: 'x', retryInMs },
})
const leaseExpired = (attempt: number): AskJobEvent => ({ type: 'lease_expired', data: { attempt } })
const completed = (attempt: number): AskJobEvent => ({ type: 'completed', data: { attempt, result } })

const given = (...moments: readonly Moment[]): AskJob | null =>
  moments.reduce<AskJob | null>((job, [at, event]) => evolve(job, event, at), null)

const claim: AskJobCommand = { type: 'claim', worker: 'b', leaseMs: LEASE }
const complete = (attempt: number): AskJobCommand => ({ type: 'complete', attempt, result })
const giveUp = (attempt: number): AskJobCommand => ({ type: 'give up', attempt, reason: 'x' })

const RUNNING: Moment[] = [
  [0, requested],
  [5, started(1)],
]

await t.test('decisions', async (t) => {
  const table: [what: string, history: Moment[], command: AskJobCommand, now: number, events: (AskJobEvent | RegExp)[]][] = [
    ['a question is asked once', [], { type: 'request', question }, 0, [requested]],
    ['and not again', [[0, requested]], { type: 'request', question }, 0, []],
    ['a job that was never requested cannot be claimed', [], claim, 0, []],
    ['nor completed', [], complete(1), 0, []],
    ['a queued job can be claimed', [[0, requested]], claim, 0, [started(1, 'b')]],
    ['a running one cannot', RUNNING, claim, 5 + LEASE - 1, []],
    ['until its lease is over', RUNNING, claim, 5 + LEASE, [leaseExpired(1), started(2, 'b')]],
    ['a running job is completed', RUNNING, complete(1), 10, [completed(1)]],
    ['even late, while no other worker has it', RUNNING, complete(1), 9999, [completed(1)]],
    ['but not by an attempt that lost it', [...RUNNING, [2000, leaseExpired(1)], [2000, started(2)]], complete(1), 2001, []],
    ['a queued job is not completed', [[0, requested]], complete(1), 0, []],
    ['a failed attempt is repeated later', RUNNING, giveUp(1), 9, [attemptFailed(1, 1000)]],
    [
      'each time a longer while',
      [
        [0, requested],
        [5, started(3)],
      ],
      giveUp(3),
      9,
      [attemptFailed(3, 16_000)],
    ],
    ['not before that while is over', [...RUNNING, [9, attemptFailed(1, 1000)]], claim, 1008, []],
    ['then it is', [...RUNNING, [9, attemptFailed(1, 1000)]], claim, 1009, [started(2, 'b')]],
    [
      'the last attempt fails the job',
      [
        [0, requested],
        [5, started(MAX_ATTEMPTS)],
      ],
      giveUp(MAX_ATTEMPTS),
      9,
      [/attempt_failed/, /failed.*internal_error/],
    ],
    [
      'so does its lease',
      [
        [0, requested],
        [5, started(MAX_ATTEMPTS)],
      ],
      claim,
      5 + LEASE,
      [leaseExpired(MAX_ATTEMPTS), /failed.*internal_error/],
    ],
    ['after an hour the job has timed out', [[0, requested]], claim, MAX_JOB_AGE_MS + 1, [/failed.*timeout/]],
    ['not a moment earlier', [[0, requested]], claim, MAX_JOB_AGE_MS, [started(1, 'b')]],
    ['a clock that has been put back does not make a job wait', [[MAX_JOB_AGE_MS, requested]], claim, 0, [started(1, 'b')]],
    ['clocks that differ by moments do', [[1000, requested]], claim, 0, []],
    [
      'finished is finished: claim',
      [
        [0, requested],
        [1, started(1)],
        [2, completed(1)],
      ],
      claim,
      9999,
      [],
    ],
    [
      'complete',
      [
        [0, requested],
        [1, started(1)],
        [2, completed(1)],
      ],
      complete(1),
      3,
      [],
    ],
    [
      'give up',
      [
        [0, requested],
        [1, started(1)],
        [2, completed(1)],
      ],
      giveUp(1),
      3,
      [],
    ],
  ]
  for (const [what, history, command, now, expected] of table) {
    const events = decide(command, given(...history), now)
    t.equal(events.length, expected.length, what)
    for (const [i, wanted] of expected.entries()) {
      if (wanted instanceof RegExp) t.match(JSON.stringify(events[i]), wanted, what)
      else t.strictSame(events[i], wanted, what)
    }
  }
})

await t.test('a job as its events tell it', async (t) => {
  const base = { question, createdAt: 0, attempts: 1 }
  t.strictSame(given([0, requested], [5, started(1)]), { ...base, status: 'running', updatedAt: 5, worker: 'a', leaseUntil: 5 + LEASE })
  t.strictSame(given([0, requested], [5, started(1)], [7, attemptFailed(1, 50)]), {
    ...base,
    status: 'queued',
    updatedAt: 7,
    notBefore: 57,
  })
  t.strictSame(given([0, requested], [5, started(1)], [7, completed(1)]), { ...base, status: 'completed', updatedAt: 7, result })
  const failed: AskJobEvent = { type: 'failed', data: { error: 'timeout', message: 'm' } }
  t.strictSame(given([0, requested], [5, started(1)], [7, failed]), {
    ...base,
    status: 'failed',
    updatedAt: 7,
    error: 'timeout',
    message: 'm',
  })
  t.strictSame(given([0, requested], [5, started(1)], [7, completed(1)], [8, failed])?.status, 'completed', 'the first end counts')
  t.equal(given([0, started(1)]), null, 'nothing begins in the middle')
})
