import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The folder of package.json. Files read at run time are found from here; this module runs as dist/src/lib/package-root.js. */
export const packageRoot = new URL('../../../', import.meta.url)

/** Reads a JSON file of the package, and names the file if its content breaks the schema. */
export function readJson<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(JSON.parse(readFileSync(new URL(path, packageRoot), 'utf8')))
  if (!result.success) throw new Error(`${path}: ${z.prettifyError(result.error)}`)
  return result.data
}
