/** What an event's schema says of its fields: whose they are, and which hold words. */
import { z } from 'zod'

type Mark = 'id' | 'person' | { instead: unknown }

/** By definition, which `.meta()` and `.describe()` leave as it is. */
const marks = new WeakMap<object, Mark>()

const markOf = ({ _zod }: z.core.$ZodType): Mark | undefined => marks.get(_zod.def)

export function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  // A copy of the definition, so that the schema itself stays unmarked.
  const copy = z.core.clone(schema, { ...schema._zod.def })
  marks.set(copy._zod.def, mark)
  return copy
}

/** Words of people. Once the person is erased, `instead` takes their place in the log. */
export function words<S extends z.ZodType>(schema: S, instead: z.input<S>): S {
  const [issue] = schema.safeParse(instead).error?.issues ?? []
  if (issue !== undefined) throw new Error(`words(): ${JSON.stringify(instead)} does not match its own schema: ${issue.message}`)
  return marked(schema, { instead })
}

/** The data with other words, or none. */
export function withoutWords(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return value
  const mark = markOf(schema)
  if (mark !== undefined) return typeof mark === 'object' ? mark.instead : value
  const { innerType, shape, element, valueType } = partsOf(schema)
  if (innerType !== undefined) return withoutWords(innerType, value)
  if (element !== undefined && Array.isArray(value)) return value.map((each) => withoutWords(element, each))
  const within = (name: string): z.core.$ZodType | undefined => shape?.[name] ?? valueType
  if (shape === undefined && valueType === undefined) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const type = within(name)
      return type === undefined ? [] : [[name, withoutWords(type, each)]]
    }),
  )
}

export interface Leaf {
  path: string
  /** `plain`: numbers, choices, times. `unclear`: it may hold words, and does not say so. */
  mark: Mark | 'plain' | 'unclear'
}

/** The fields of the data, down to those that hold no others. */
export function* leavesOf(schema: z.core.$ZodType, path = ''): Generator<Leaf> {
  const mark = markOf(schema)
  const { innerType, shape, element, keyType, valueType, catchall } = partsOf(schema)
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (mark !== undefined) yield { path, mark }
  else if (innerType !== undefined) yield* leavesOf(innerType, path)
  else if (element !== undefined) yield* leavesOf(element, path)
  else if (shape !== undefined) {
    for (const [name, each] of Object.entries(shape)) yield* leavesOf(each, at(name))
    if (catchall !== undefined) yield* leavesOf(catchall, at('*'))
  } else if (keyType !== undefined && valueType !== undefined) {
    yield* leavesOf(keyType, path)
    yield* leavesOf(valueType, at('*'))
  } else yield { path, mark: isPlain(schema) ? 'plain' : 'unclear' }
}

/** The schemas within a schema of any kind. */
function partsOf({ _zod }: z.core.$ZodType) {
  // The definition of each kind of schema has some of these; pipes, unions and the like have others, and are not looked into.
  const { innerType, shape, element, keyType, valueType, catchall } = _zod.def as {
    [part in 'innerType' | 'element' | 'keyType' | 'valueType' | 'catchall']?: z.core.$ZodType
  } & { shape?: Readonly<Record<string, z.core.$ZodType>> }
  return { innerType, shape, element, keyType, valueType, catchall }
}

const PLAIN: readonly string[] = ['number', 'boolean', 'enum', 'literal', 'null', 'undefined', 'never']
const PLAIN_TEXTS: readonly unknown[] = ['date', 'datetime', 'time', 'uuid']

const isPlain = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  PLAIN.includes(def.type) || (def.type === 'string' && 'format' in def && PLAIN_TEXTS.includes(def.format))
