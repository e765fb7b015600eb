/** Files for people who work on the repository agree with what it uses. */
import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { z } from 'zod'
import { defaultOf } from '../../src/compose/config.js'

const read = (path: string) => readFileSync(path, 'utf8')

t.test('editors write what the formatter writes', async (t) => {
  const { formatter } = z
    .looseObject({ formatter: z.looseObject({ indentWidth: z.number(), lineWidth: z.number() }) })
    .parse(JSON.parse(read('biome.json')))
  const settings = read('.editorconfig')
  t.match(settings, `indent_size = ${formatter.indentWidth}\n`)
  t.match(settings, `max_line_length = ${formatter.lineWidth}\n`)
})

t.test('the development container has the same Node, and opens the ports of the demo', async (t) => {
  const Container = z.looseObject({ image: z.string(), forwardPorts: z.array(z.number()), postCreateCommand: z.string() })
  const { image, forwardPorts, postCreateCommand } = Container.parse(JSON.parse(read('.devcontainer/devcontainer.json')))
  t.match(image, `typescript-node:${read('.nvmrc').trim()}-`)
  t.strictSame(forwardPorts.map(String), [defaultOf('API_PORT'), defaultOf('WEB_PORT'), defaultOf('ADMIN_PORT')])
  t.match(postCreateCommand, /npm ci$/)
})

t.test('issue templates are forms that GitHub can show', async (t) => {
  const Field = z.strictObject({
    type: z.enum(['textarea', 'input', 'dropdown']),
    id: z.string().regex(/^[a-z-]+$/),
    attributes: z.strictObject({
      label: z.string().min(1),
      description: z.string().optional(),
      options: z.array(z.string()).optional(),
      render: z.string().optional(),
    }),
    validations: z.strictObject({ required: z.boolean() }).optional(),
  })
  const Note = z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: z.string().min(1) }) })
  const Form = z.strictObject({
    name: z.string().min(1),
    description: z.string().min(1),
    labels: z.array(z.string()),
    body: z.array(z.union([Field, Note])).min(1),
  })
  const files = readdirSync('.github/ISSUE_TEMPLATE').filter((file) => file !== 'config.yml')
  t.equal(files.length, 2)
  for (const file of files) {
    const { body } = Form.parse(parse(read(`.github/ISSUE_TEMPLATE/${file}`)))
    const ids = body.flatMap((part) => (part.type === 'markdown' ? [] : [part.id]))
    t.equal(new Set(ids).size, ids.length, file)
    for (const part of body) if (part.type === 'dropdown') t.ok((part.attributes.options?.length ?? 0) > 1, file)
  }
  z.strictObject({ blank_issues_enabled: z.boolean() }).parse(parse(read('.github/ISSUE_TEMPLATE/config.yml')))
})
