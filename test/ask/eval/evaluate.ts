import { toQuestion } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'
import type { Service } from '../../harness/service.js'
import { faultsOf } from './judge.js'
import { type Asked, questionSets } from './questions.js'

export interface Verdict {
  set: string
  asked: Asked
  response: AskResponse
  faults: string[]
}

/** Asks everything there is. */
export async function evaluate({ ask }: Pick<Service, 'ask'>): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const [set, questions] of questionSets()) {
    for (const asked of questions) {
      const { query, prev, mode } = asked
      const response = await ask.ask(toQuestion({ query, prev, mode }))
      verdicts.push({ set, asked, response, faults: faultsOf(asked, response) })
    }
  }
  return verdicts
}

export interface Score {
  name: string
  right: number
  of: number
}

/** One score per set, one for the whole and one for the injections. */
export function scores(verdicts: readonly Verdict[]): Score[] {
  const sets = [...new Set(verdicts.map(({ set }) => set))]
  return [
    ...sets.map((set) =>
      score(
        set,
        verdicts.filter((verdict) => verdict.set === set),
      ),
    ),
    score('all questions', verdicts),
    score(
      'injections',
      verdicts.filter(({ asked }) => asked.kind === 'injection'),
    ),
  ]
}

const score = (name: string, verdicts: readonly Verdict[]): Score => ({
  name,
  right: verdicts.filter(({ faults }) => faults.length === 0).length,
  of: verdicts.length,
})

export const share = ({ right, of }: Score): number => (of === 0 ? 1 : right / of)

export const line = (result: Score): string =>
  `${result.name.padEnd(16)} ${result.right}/${result.of}  ${(100 * share(result)).toFixed(1)} %`

/** The set that stays unread while tuning: only its score is ever printed. */
const UNREAD = 'blind'

/** The wrong answers that may be looked at, in words. */
export const reports = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ set, faults }) => set !== UNREAD && faults.length > 0).map(report)

/** What a question may be called where people read it. */
export const nameOf = ({ set, asked }: Verdict): string => (set === UNREAD ? `one of ${UNREAD}` : `${set}/${asked.id}`)

const report = ({ set, asked, response, faults }: Verdict): string =>
  `${set}/${asked.id}: ${asked.query}\n    ${response.answer}\n    ${faults.join('; ')}`
