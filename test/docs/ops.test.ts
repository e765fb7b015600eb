import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { Metrics } from '../../src/observe/metrics.js'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

interface Alert {
  alert: string
  expr: string
  annotations: { summary: string; runbook: string }
}

const alerts = (parse(read('ops/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules)
const panels = (JSON.parse(read('ops/grafana-dashboard.json')) as { panels: { title: string; targets: { expr: string }[] }[] }).panels

t.test('every metric that is asked for exists', async (t) => {
  const metrics = new Metrics()
  metrics.collectProcessMetrics()
  const { text } = await metrics.text(true)
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  const exists = (name: string) => types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram'
  const asked = [
    ...alerts.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]
  t.ok(asked.length > 20)
  for (const [where, expr] of asked) {
    const names = expr.match(/vitrine_\w+/g) ?? []
    t.ok(names.length > 0, where)
    for (const name of names) t.ok(exists(name), `${where}: ${name}`)
  }
})

t.test('every alert has its entry in the runbook, and every entry its alert', async (t) => {
  const headings = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  t.strictSame(headings.sort(), alerts.map(({ alert }) => alert).sort())
  for (const { alert, annotations } of alerts) t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
})
