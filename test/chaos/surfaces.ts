/** Everything that says how the feed stands, read at the same time. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { vitrine } from '../harness/command.js'
import type { Serving } from '../harness/program.js'
import type { Cells } from './fault-table.js'

const PROJECTION = 'feed'
/** A process that is stopped never answers. One that is only slow is asked again. */
const ANSWER_MS = 5000

interface Named {
  name: string
  state: string
}

export interface Watched {
  /** The process that serves reads, and has the public status document. */
  query: Serving
  /** The process that only projects; null when it has ended. */
  project: Serving | null
  /** The flags of every process, for commands. */
  flags: readonly string[]
}

/** What all surfaces say now, in the words of the table. */
export async function readSurfaces({ query, project, flags }: Watched): Promise<Cells> {
  const [status, ready, projectReady, metrics, projectMetrics, dashboard, command, doctor] = await Promise.all([
    publicStatus(query),
    readiness(query),
    readiness(project),
    figures(query),
    figures(project),
    board(query),
    statusCommand(flags),
    doctorCommand(flags),
  ])
  return {
    '/status': status,
    query: ready,
    project: projectReady,
    metrics: [
      metrics?.said ?? NO_ANSWER,
      projectMetrics && projectMetrics.said !== metrics?.said && `where it is led ${projectMetrics.said}`,
    ]
      .filter(Boolean)
      .join('; '),
    alert: alertsOf([metrics, projectMetrics].flatMap((each) => each?.text ?? [])),
    dashboard,
    status: command,
    doctor,
  }
}

/** How the feed stands by the dashboard, and whether the process that leads it is ready; null while one of them is too slow to say. */
export async function feedOf({ query, project }: Watched): Promise<{ state: string; fanOut: object | null; ready: string } | null> {
  const [answer, ready] = await Promise.all([answerOf(query.admin, '/board'), readiness(project)])
  if (answer === null || ready === NO_ANSWER) return null
  const { projections } = (await answer.json()) as { projections: (Named & { fanOut: object | null })[] }
  const feed = projections.find(({ name }) => name === PROJECTION)
  return { state: feed?.state ?? '', fanOut: feed?.fanOut ?? null, ready }
}

const NO_ANSWER = 'no answer'

const code = (word: string) => `\`${word}\``

async function answerOf(port: number, path: string): Promise<Response | null> {
  try {
    return await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(ANSWER_MS) })
  } catch {
    return null
  }
}

async function publicStatus({ web }: Serving): Promise<string> {
  const answer = await answerOf(web, '/status')
  if (answer === null) return NO_ANSWER
  const document = (await answer.json()) as { status: string; components: (Named & { status: string })[] }
  const of = (wanted: string) => document.components.find(({ name }) => name === wanted)
  const log = of('event_log')?.status === 'ok' ? [] : [`log ${code(of('event_log')?.status ?? '')}`]
  return [`${code(document.status)}: ${code(of(PROJECTION)?.state ?? '')}`, ...log].join(', ')
}

async function readiness(serving: Serving | null): Promise<string> {
  const answer = serving && (await answerOf(serving.admin, '/health/ready'))
  if (answer === null) return NO_ANSWER
  const { status } = (await answer.json()) as { status: string }
  return answer.status === 200 ? '200' : `${answer.status} ${code(status)}`
}

/** The state, and which stores are not reachable. */
async function figures(serving: Serving | null): Promise<{ text: string; said: string } | null> {
  const answer = serving && (await answerOf(serving.admin, '/metrics'))
  if (answer === null) return null
  const text = await answer.text()
  const states = [...text.matchAll(/^vitrine_projection_state\{projection="(\w+)",state="(\w+)"\} 1$/gm)]
  const state = states.find(([, projection]) => projection === PROJECTION)?.[2] ?? 'none'
  const unreachable = [...text.matchAll(/^(vitrine_(?:log|store)_reachable) 0$/gm)].map(([, name = '']) => `${code(name)} 0`)
  return { text, said: [code(state), ...unreachable].join(', ') }
}

async function board({ admin }: Serving): Promise<string> {
  const answer = await answerOf(admin, '/board')
  if (answer === null) return NO_ANSWER
  if (answer.status !== 200) return String(answer.status)
  const { log, projections } = (await answer.json()) as { log: object | null; projections: Named[] }
  const state = projections.find(({ name }) => name === PROJECTION)?.state ?? 'none'
  return [code(state), ...(log === null ? ['log away'] : [])].join(', ')
}

async function statusCommand(flags: readonly string[]): Promise<string> {
  const { code: exit, stdout } = await vitrine(['status', '--json', ...flags])
  if (exit !== 0) return `exit ${exit}`
  const { projections } = JSON.parse(stdout) as {
    projections: (Omit<Named, 'name'> & { projection: string; reason: string | null; lag: number | null })[]
  }
  const found = projections.find(({ projection }) => projection === PROJECTION)
  const reason = found?.reason ? ` (${code(found.reason)})` : ''
  return `${code(found?.state ?? '')}${reason}${found?.lag === null ? ', lag unknown' : ''}`
}

/** The state that it names, or what else it finds wrong. */
async function doctorCommand(flags: readonly string[]): Promise<string> {
  const { code: exit, stdout } = await vitrine(['doctor', '--json', ...flags])
  const { findings } = JSON.parse(stdout) as { findings: { check: string; healthy: boolean; finding: string }[] }
  const servers = findings.filter(({ check, healthy }) => !healthy && ['NATS', 'MongoDB'].includes(check)).map(({ check }) => check)
  const model = findings.find(({ check }) => check === `model ${PROJECTION}`)
  const said = [...(model === undefined ? [] : [code(model.finding.split(':')[0] ?? '')]), ...servers]
  return `${said.join(', ')}, exit ${exit}`
}

interface Alert {
  alert: string
  expr: string
}

const ALERTS = (
  parse(readFileSync(new URL('../../../ops/alerts.yaml', import.meta.url), 'utf8')) as { groups: { rules: Alert[] }[] }
).groups.flatMap(({ rules }) => rules)

/** Those that compare a state, or whether something is reachable, and would fire if it stays so. */
function alertsOf(scrapes: readonly string[]): string {
  const firing = ALERTS.filter(({ expr }) => {
    const [, metric, labels = '', value] =
      /(vitrine_(?:projection_state|log_reachable|store_reachable|ready))(\{[^}]*\})?\)? == ([01])/.exec(expr) ?? []
    const label = /state="(\w+)"/.exec(labels)?.[1]
    const line = label === undefined ? `${metric} ${value}` : `${metric}{projection="${PROJECTION}",state="${label}"} ${value}`
    return metric !== undefined && scrapes.some((text) => text.includes(`\n${line}\n`))
  })
  return firing.length === 0
    ? 'none'
    : firing
        .map(({ alert }) => alert)
        .sort()
        .join(', ')
}
