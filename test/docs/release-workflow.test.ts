import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'

const Step = z.looseObject({ run: z.string().optional(), uses: z.string().optional(), 'continue-on-error': z.unknown().optional() })
const Permissions = z.record(z.string(), z.string())
const Job = z.looseObject({
  if: z.string().optional(),
  needs: z.array(z.string()).default([]),
  permissions: Permissions.optional(),
  'timeout-minutes': z.number(),
  steps: z.array(Step),
  'continue-on-error': z.unknown().optional(),
})
const Workflow = z.looseObject({
  on: z.looseObject({ push: z.object({ tags: z.array(z.string()) }) }),
  permissions: Permissions,
  defaults: z.object({ run: z.object({ shell: z.string() }) }),
  jobs: z.record(z.string(), Job),
})

const text = readFileSync('.github/workflows/release.yml', 'utf8')
const workflow = Workflow.parse(parse(text))
const { jobs } = workflow
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync('package.json', 'utf8')))
const commandsOf = (job: string): string[] => jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? []

t.test('a release is ready, builds, passes all tests, and asks for known vulnerabilities', async (t) => {
  t.match(commandsOf('ready'), ['node scripts/release.mjs "$GITHUB_REF_NAME"'])
  t.ok(commandsOf('audit').includes('npm run audit'))
  t.match(scripts.audit, '--strict', 'which fails if nobody answers')
  t.ok(commandsOf('test').includes('npm run build') && commandsOf('test').includes('npm run test:all'))
})

t.test('nothing is published before that, and only for a tag', async (t) => {
  t.strictSame(workflow.on.push.tags, ['v*'])
  t.equal(jobs.ready?.if, "github.ref_type == 'tag'")
  const isChecked = (name: string): boolean =>
    ['ready', 'audit', 'test'].every((check) => jobs[name]?.needs.includes(check)) || (jobs[name]?.needs.some(isChecked) ?? false)
  for (const name of Object.keys(jobs).filter((each) => !['ready', 'audit', 'test'].includes(each))) t.ok(isChecked(name), name)
})

t.test('its commands exist, and none may fail unnoticed', async (t) => {
  t.equal(workflow.defaults.run.shell, 'bash', 'which fails with any part of a pipe')
  for (const [name, job] of Object.entries(jobs)) {
    t.equal(job['continue-on-error'], undefined, name)
    for (const step of job.steps) t.equal(step['continue-on-error'], undefined, name)
    for (const command of commandsOf(name)) {
      const [, script] = /^npm run (\S+)/.exec(command) ?? []
      if (script !== undefined) t.ok(scripts[script], command)
      const [, file] = /^node (\S+)/.exec(command) ?? []
      if (file !== undefined) t.ok(existsSync(file), command)
    }
  }
  const [, major] = /^FROM node:(\d+)\./m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  t.equal(readFileSync('.nvmrc', 'utf8'), `${major}\n`, 'the version of Node that the image has')
})

t.test('actions are pinned to their contents, and each job may do only what it has to', async (t) => {
  const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action)
  t.ok(used.length > 5)
  for (const action of used) t.match(action, /^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  t.strictSame(workflow.permissions, { contents: 'read' })
  const more = Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions === undefined ? [] : [[name, permissions] as const]))
  t.strictSame(Object.fromEntries(more), {
    image: { contents: 'read', packages: 'write' },
    'image-index': { packages: 'write' },
    package: { contents: 'read', 'id-token': 'write' },
    notes: { contents: 'write' },
  })
  t.notMatch(text, /\$\{\{[^}]*\}\}[^"\n]*\| *(ba)?sh/, 'no expression gets into a shell')
  for (const command of Object.keys(jobs).flatMap(commandsOf)) t.notMatch(command, '${{', 'values come by variables')
  t.notMatch(text, 'secrets.', 'there is no secret to lose')
})

t.test('image and package have provenance', async (t) => {
  t.match(commandsOf('image').join('\n'), /docker buildx build --provenance=mode=max --sbom=true --push/)
  t.ok(commandsOf('package').includes('npm publish --provenance --access public'))
})
