import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'

/** None may fail unnoticed. */
const Checked = z.looseObject({ 'continue-on-error': z.undefined().optional() })
const Job = Checked.extend({
  needs: z.array(z.string()).default([]),
  steps: z.array(Checked.extend({ run: z.string().optional() })),
})
const Workflow = z.looseObject({ jobs: z.record(z.string(), Job) })

const text = readFileSync('.github/workflows/release.yml', 'utf8')
const { jobs } = Workflow.parse(parse(text))
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync('package.json', 'utf8')))
const commandsOf = (job: string): string[] => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []

t.test('nothing is published before it is ready, audited and tested', async (t) => {
  const isChecked = (name: string): boolean =>
    ['ready', 'audit', 'test'].every((check) => jobs[name]?.needs.includes(check)) || (jobs[name]?.needs.some(isChecked) ?? false)
  for (const name of Object.keys(jobs).filter((each) => !['ready', 'audit', 'test'].includes(each))) t.ok(isChecked(name), name)
  t.ok(commandsOf('audit').includes('npm run audit') && scripts.audit?.includes('--strict'), 'which fails if no registry answers')
})

t.test('actions are pinned to their contents, and no expression gets into a shell', async (t) => {
  const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action)
  t.ok(used.length > 5)
  for (const action of used) t.match(action, /^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  t.notMatch(text, /\$\{\{[^}]*\}\}[^"\n]*\| *(ba)?sh/, 'no expression gets into a shell')
  for (const command of Object.keys(jobs).flatMap(commandsOf)) t.notMatch(command, '${{', 'values come by variables')
  t.notMatch(text, 'secrets.', 'there is no secret to lose')
})
