import { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ModelsError } from './define-models.js'

let isLoaderRegistered = false

/** Imports a module from outside of the package, in JavaScript or TypeScript. `name`: what its user calls it. */
export async function importModule(name: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  // Once: every import passes through every registration.
  if (!isLoaderRegistered) register('./typescript-loader.js', import.meta.url)
  isLoaderRegistered = true
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw new ModelsError(`cannot load ${name}: ${describeImportError(error)}`, { cause: error })
  }
}

/** The TypeScript loader throws an object with line and column; the file itself throws an error. */
function describeImportError(error: unknown): string {
  const { message, startLine, startColumn } = error as { message?: string; startLine?: number; startColumn?: number }
  const [line] = String(message ?? error).split('\n')
  return startLine === undefined ? `${line}` : `line ${startLine}, column ${startColumn}: ${line}`
}
