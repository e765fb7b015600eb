/** Every manifest is what Kubernetes takes, and kustomize makes of the folders what the other tests take for it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { onPath, skipLoudly } from '../servers/binary.js'
import { build, type Manifest } from './manifests.js'
import { checkFor, VERSIONS } from './schemas.js'

const run = promisify(execFile)
const FOLDERS = ['base', 'demo', 'example'].map((folder) => `ops/kubernetes/${folder}`)

for (const version of VERSIONS) {
  await t.test(`the manifests are valid for Kubernetes ${version}`, async (t) => {
    const check = await checkFor(t, version)
    if (check === null) return
    for (const folder of FOLDERS) {
      for (const manifest of build(folder)) t.strictSame(check(manifest), [], `${folder}: ${manifest.kind} ${manifest.metadata.name}`)
    }
    const [deployment] = build('ops/kubernetes/base').filter(({ kind }) => kind === 'Deployment')
    if (deployment === undefined) throw new Error('the base has deployments')
    t.match(
      check({ ...deployment, spec: { ...deployment.spec, replica: 2 } })[0],
      'must NOT have additional properties',
      'a misspelt field is found',
    )
    const monitor = build('ops/kubernetes/example').find(({ kind }) => kind === 'ServiceMonitor')
    if (monitor === undefined) throw new Error('the example has a service monitor')
    t.not(check({ ...monitor, spec: { ...monitor.spec, endpoint: [] } }).length, 0)
    t.throws(() => check({ ...deployment, apiVersion: 'apps/v1beta9' }), { message: /knows no apps\/v1beta9 Deployment/ })
  })
}

await t.test('the real kustomize makes the same of them', async (t) => {
  const kustomize = await onPath('kustomize')
  const kubectl = await onPath('kubectl')
  const [program, ...args] = kustomize !== null ? [kustomize.path, 'build'] : kubectl !== null ? [kubectl.path, 'kustomize'] : []
  if (program === undefined) {
    skipLoudly(t, 'kustomize', 'neither kustomize nor kubectl is here: ops/kubernetes was not built with the real one')
    return
  }
  for (const folder of FOLDERS) {
    const { stdout } = await run(program, [...args, folder])
    const real = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
    t.strictSame(sorted(real.map(withoutHashes)), sorted(build(folder).map(inNamespace)), folder)
  }
})

/** As `build` makes them: names without the hash of the contents, secrets as written. */
function withoutHashes(manifest: Manifest): Manifest {
  const plain: Manifest = JSON.parse(JSON.stringify(manifest).replaceAll(/"vitrine-[a-z0-9]{10}"/g, '"vitrine"'))
  if (plain.kind === 'Secret') {
    delete (plain as { type?: string }).type
    const decoded = Object.entries(plain.data ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()])
    plain.data = Object.fromEntries(decoded)
  }
  return plain
}

function inNamespace(manifest: Manifest): Manifest {
  return manifest.kind === 'Namespace' ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace: 'vitrine' } }
}

function sorted(manifests: readonly Manifest[]): Manifest[] {
  return manifests.toSorted((a, b) => `${a.kind}${a.metadata.name}`.localeCompare(`${b.kind}${b.metadata.name}`))
}
