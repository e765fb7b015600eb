import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'

const Step = z.looseObject({ run: z.string().optional(), uses: z.string().optional(), 'continue-on-error': z.unknown().optional() })
const Job = z.looseObject({ needs: z.array(z.string()).optional(), steps: z.array(Step), 'continue-on-error': z.unknown().optional() })
const Workflow = z.looseObject({ on: z.looseObject({ push: z.object({ tags: z.array(z.string()) }) }), jobs: z.record(z.string(), Job) })

const workflow = Workflow.parse(parse(readFileSync('.github/workflows/release.yml', 'utf8')))
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync('package.json', 'utf8')))
const commandsOf = (job: string): string[] => workflow.jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []

t.test('a release builds, passes all tests, and asks for known vulnerabilities', async (t) => {
  t.ok(commandsOf('audit').includes('npm run audit'))
  t.match(scripts.audit, '--strict', 'which fails if nobody answers')
  t.ok(commandsOf('test').includes('npm run build') && commandsOf('test').includes('npm run test:all'))
  t.strictSame(workflow.jobs.image?.needs, ['audit', 'test'], 'and nothing is made before that')
})

t.test('its commands exist, and none may fail unnoticed', async (t) => {
  for (const [name, job] of Object.entries(workflow.jobs)) {
    t.equal(job['continue-on-error'], undefined, name)
    for (const step of job.steps) t.equal(step['continue-on-error'], undefined, name)
    for (const command of commandsOf(name)) {
      const [, script] = /^npm run (\S+)/.exec(command) ?? []
      if (script !== undefined) t.ok(scripts[script], command)
    }
  }
})
