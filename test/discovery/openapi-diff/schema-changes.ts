import type { JsonSchema } from '../../../src/discovery/openapi/types.js'
import { asSchema, type Direction, type NamedSchemas, nameOf, type PlainSchema, shapeOf } from './schema-shape.js'
import { limitChanges, typeChanges, valueChanges } from './value-changes.js'

/** Finds what in a schema would break a client, following references on both sides. */
export class SchemaComparison {
  readonly #released: NamedSchemas
  readonly #current: NamedSchemas
  /** Pairs of named schemas already compared: each is reported once, and a schema that holds itself has an end. */
  readonly #seen: Set<string>

  constructor(released: NamedSchemas, current: NamedSchemas, seen: ReadonlySet<string> = new Set()) {
    this.#released = released
    this.#current = current
    this.#seen = new Set(seen)
  }

  changes(direction: Direction, released: JsonSchema, current: JsonSchema, where: string): string[] {
    if (this.#comparedBefore(direction, released, current)) return []
    const before = shapeOf(released, this.#released)
    const after = shapeOf(current, this.#current)
    const found: string[] = []
    if (direction === 'output' && after.nullable && !before.nullable) found.push(`${where} may now be null`)
    if (direction === 'input' && before.nullable && !after.nullable) found.push(`${where} no longer accepts null`)
    const [a, ...moreBefore] = before.variants
    const [b, ...moreAfter] = after.variants
    if (a !== undefined && b !== undefined && moreBefore.length + moreAfter.length === 0) found.push(...this.#plain(direction, a, b, where))
    else found.push(...this.#choices(direction, before.variants, after.variants, where))
    return found
  }

  #comparedBefore(direction: Direction, released: JsonSchema, current: JsonSchema): boolean {
    const [a, b] = [nameOf(released), nameOf(current)]
    if (a === undefined || b === undefined) return false
    const pair = `${direction} ${a} ${b}`
    const known = this.#seen.has(pair)
    this.#seen.add(pair)
    return known
  }

  /** Where there is a choice of shapes, each one needs a partner on the other side. */
  #choices(direction: Direction, before: PlainSchema[], after: PlainSchema[], where: string): string[] {
    const fits = (a: PlainSchema, b: PlainSchema) =>
      new SchemaComparison(this.#released, this.#current, this.#seen).#plain(direction, a, b, where).length === 0
    if (direction === 'input') {
      return before.every((a) => after.some((b) => fits(a, b))) ? [] : [`${where} no longer accepts one of its shapes`]
    }
    return after.every((b) => before.some((a) => fits(a, b))) ? [] : [`${where} may now have a shape it never had`]
  }

  #plain(direction: Direction, before: PlainSchema, after: PlainSchema, where: string): string[] {
    const types = typeChanges(direction, before, after, where)
    if (types.length > 0) return types
    return [
      ...valueChanges(direction, before, after, where),
      ...limitChanges(direction, before, after, where),
      ...this.#fields(direction, before, after, where),
      ...this.#furtherFields(direction, before, after, where),
      ...this.#inner(direction, before.keywords.items, after.keywords.items, `${where}[]`),
      ...this.#inner(direction, before.keywords.propertyNames, after.keywords.propertyNames, `${where} (its keys)`),
    ]
  }

  #fields(direction: Direction, before: PlainSchema, after: PlainSchema, where: string): string[] {
    const found: string[] = []
    for (const [name, released] of Object.entries(before.properties)) {
      const current = after.properties[name]
      const field = `${where}.${name}`
      if (current === undefined) found.push(direction === 'output' ? `${field} is gone` : `${field} is no longer accepted`)
      else found.push(...this.changes(direction, released, current, field))
      const nowOptional = current !== undefined && before.required.has(name) && !after.required.has(name)
      if (direction === 'output' && nowOptional) found.push(`${field} may now be missing`)
    }
    if (direction === 'input') {
      for (const name of after.required) if (!before.required.has(name)) found.push(`${where}.${name} is now required`)
    }
    return found
  }

  #furtherFields(direction: Direction, before: PlainSchema, after: PlainSchema, where: string): string[] {
    const [released, current] = [before.keywords.additionalProperties, after.keywords.additionalProperties]
    if (current === false) return direction === 'input' && released !== false ? [`${where} no longer accepts further fields`] : []
    if (released === false) return []
    return this.#inner(direction, released, current, `${where}.*`)
  }

  /** A schema within the schema. Where neither side has one there is nothing to compare, and no end to it either. */
  #inner(direction: Direction, released: unknown, current: unknown, where: string): string[] {
    if (released === undefined && current === undefined) return []
    return this.changes(direction, asSchema(released), asSchema(current), where)
  }
}
