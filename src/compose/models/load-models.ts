import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import coerce from 'semver/functions/coerce.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { z } from 'zod'
import { errorMessage } from '../../lib/message-text.js'
import { readJson } from '../../lib/package-root.js'
import type { Config } from '../config.js'
import { firstIssue, ModelsError, type OwnModels } from './define-models.js'
import { importModule } from './import-module.js'
import { type ModelSet, modelSet } from './model-set.js'

/** Ours, and those that `MODELS` or `vitrine.config.ts` names. Every process, thread and command calls this with the same configuration. */
export async function loadModels({ MODELS }: Pick<Config, 'MODELS'>): Promise<ModelSet> {
  const own: OwnModels[] = []
  for (const source of MODELS.length > 0 ? MODELS : await sourcesOfConfigFile())
    own.push(typeof source === 'string' ? await loadSource(source) : source)
  return modelSet(own)
}

const CONFIG_FILES = ['vitrine.config.ts', 'vitrine.config.js', 'vitrine.config.mjs']

/** `export default { models: './my-models' }`, or several, or what `defineModels` gives. */
async function sourcesOfConfigFile(): Promise<(string | OwnModels)[]> {
  const name = CONFIG_FILES.find((candidate) => existsSync(candidate))
  if (name === undefined) return []
  const { default: content } = await importModule(name, resolve(name))
  if (!isObject(content) || Object.keys(content).some((key) => key !== 'models'))
    throw new ModelsError(`${name}: export default { models: … }, and nothing else`)
  return [content.models].flat().map((each) => {
    if (typeof each === 'string' || isOwnModels(each)) return each
    throw new ModelsError(`${name}: "models" must be folders, packages or what defineModels() returns`)
  })
}

/** From a folder, file or package, as it is called from the working folder. */
async function loadSource(name: string): Promise<OwnModels> {
  const path = isPath(name) ? resolve(name) : findPackage(name)
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) throw new ModelsError(`MODELS: there is nothing at ${name}`)
  const { default: found } = await importModule(name, isFolder ? entryOf(name, path) : path)
  if (isOwnModels(found)) return found
  throw new ModelsError(`${name}: its default export must be what defineModels() returns`)
}

const isPath = (name: string): boolean => /^(\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\])/.test(name)

function findPackage(name: string): string {
  const folders = createRequire(resolve('package.json')).resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder))
  if (found === undefined) throw new ModelsError(`MODELS: there is no package "${name}" (for a folder, write "./${name}")`)
  return found
}

const Manifest = z.looseObject({
  main: z.string().optional(),
  exports: z.unknown().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  peerDependencies: z.record(z.string(), z.string()).optional(),
})
type Manifest = z.infer<typeof Manifest>

/** The module of a package, after a look at what the package was written for. */
function entryOf(name: string, folder: string): string {
  const manifest = readManifest(name, folder)
  checkPeer(name, manifest)
  const entry = declaredEntry(name, manifest)
  if (existsSync(join(folder, entry))) return join(folder, entry)
  throw new ModelsError(`${name}: there is no ${entry}: its package.json names the module under "exports" or "main"`)
}

function readManifest(name: string, folder: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch (error) {
    if (error instanceof z.ZodError) throw new ModelsError(`${name}: cannot read its package.json: ${firstIssue(error)}`)
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'has none' : errorMessage(error).split('\n')[0]
    throw new ModelsError(`${name}: needs a package.json with vitrine as a peer dependency (${reason})`)
  }
}

function declaredEntry(name: string, { exports, main = 'index.js' }: Manifest): string {
  if (exports === undefined) return main
  const entry = resolveTarget(isObject(exports) && '.' in exports ? exports['.'] : exports)
  if (entry === undefined) throw new ModelsError(`${name}: the "exports" of its package.json name no module for "import" or "default"`)
  return entry
}

const CONDITIONS = ['node', 'import', 'default']

/** As Node does: the first condition that holds, which may have conditions of its own. */
function resolveTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (!isObject(target)) return undefined
  for (const [condition, each] of Object.entries(target)) {
    const found = CONDITIONS.includes(condition) ? resolveTarget(each) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** A copy of its own would be another Vitrine than the one that runs. */
function checkPeer(name: string, { dependencies, peerDependencies }: Manifest): void {
  const { version } = readJson('package.json', z.object({ version: z.string() }))
  const range = peerDependencies?.vitrine
  if (dependencies?.vitrine !== undefined || range === undefined)
    throw new ModelsError(`${name}: its package.json must name vitrine under "peerDependencies", such as "^${version}"`)
  // In a workspace, `^` and `~` alone are about the version that is there.
  const wanted = validRange(range.replace(/^workspace:[~^]?$/, '*').replace(/^workspace:/, ''))
  if (wanted === null) throw new ModelsError(`${name}: cannot read the range "${range}" of its peer dependency vitrine`)
  // A candidate for a release counts as the release.
  if (!satisfies(coerce(version) ?? version, wanted))
    throw new ModelsError(`${name}: was written for vitrine ${range}, and this is ${version}`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const isOwnModels = (value: unknown): value is OwnModels =>
  isObject(value) && typeof value.namespace === 'string' && Array.isArray(value.models) && Array.isArray(value.events)
