/** What kustomize makes of a folder, as far as the folders of ops/kubernetes use it. A test compares it with the real one. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

/** A resource. What its parts are is a matter of the schemas; tests read them where they need them. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec?: Record<string, unknown>
  data?: Record<string, string>
}

interface Generator {
  name: string
  behavior?: 'merge'
  envs: string[]
}

interface Image {
  name: string
  newName: string
  newTag: string
}

interface Kustomization {
  kind: 'Kustomization' | 'Component'
  resources?: string[]
  components?: string[]
  configMapGenerator?: Generator[]
  secretGenerator?: Generator[]
  images?: Image[]
}

const readKustomization = (folder: string): Kustomization => parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'))

/** Every resource of a folder and of those it is made from. Names of generated ones are without the hash. */
export function build(folder: string): Manifest[] {
  const { resources = [], components = [], configMapGenerator = [], secretGenerator = [], images = [] } = readKustomization(folder)
  const made = [...resources, ...components].flatMap((path) => {
    const from = join(folder, path)
    return statSync(from).isDirectory() ? build(from) : documentsIn(from)
  })
  const generate = (kind: string, generators: readonly Generator[]) => {
    for (const { name, behavior, envs } of generators) {
      const data = Object.assign({}, ...envs.map((file) => variablesIn(join(folder, file))))
      const before = made.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
      if ((behavior === 'merge') !== (before !== undefined)) throw new Error(`${folder}: ${kind} ${name} cannot be generated`)
      if (before === undefined) made.push({ apiVersion: 'v1', kind, metadata: { name }, data })
      else Object.assign(before.data ?? {}, data)
    }
  }
  generate('ConfigMap', configMapGenerator)
  generate('Secret', secretGenerator)
  return images.reduce(renameImage, made)
}

const renameImage = (manifests: Manifest[], { name, newName, newTag }: Image): Manifest[] =>
  JSON.parse(JSON.stringify(manifests), (key, value) => (key === 'image' && value.split(':')[0] === name ? `${newName}:${newTag}` : value))

const documentsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    return document.toJS() as Manifest
  })

function variablesIn(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n')
  const pairs = lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map((line) => line.split(/=(.*)/s))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}
