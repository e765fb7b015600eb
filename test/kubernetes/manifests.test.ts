/** What can be read in ops/kubernetes: names lead to something. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { z } from 'zod'
import { defaultOf, readConfig, VARIABLE_NAMES } from '../../src/compose/config.js'
import { deploymentsIn, environmentOf, PROBES } from './deployments.js'
import { build, type Manifest } from './manifests.js'

const base = build('ops/kubernetes/base')
const example = build('ops/kubernetes/example')
const demo = build('ops/kubernetes/demo')
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'))

const specsOf = <S extends z.ZodType>(manifests: readonly Manifest[], kind: string, schema: S) =>
  manifests
    .filter((manifest) => manifest.kind === kind)
    .map(({ metadata, spec }) => ({ name: metadata.name, labels: metadata.labels ?? {}, spec: schema.parse(spec) }))
const Labels = z.record(z.string(), z.string())
const Selector = z.object({ matchLabels: Labels })
const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

const Service = z.looseObject({
  selector: Labels,
  ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() })),
})
const services = specsOf(example, 'Service', Service)
const portsOf = (selector: Record<string, string>) =>
  deploymentsIn(example)
    .filter(({ labels }) => matches(selector, labels))
    .map(({ name, container }) => ({ name, ports: new Map(container.ports.map((port) => [port.name, port.containerPort])) }))

await t.test('every deployment is of this version, and so is the image of the guide', async (t) => {
  for (const { name, container } of deploymentsIn(base)) t.equal(container.image, `vitrine:${version}`, name)
  for (const { name, container } of deploymentsIn(example)) t.equal(container.image, `registry.example.com/vitrine:${version}`, name)
  for (const [, tag] of readFileSync('docs/cluster.md', 'utf8').matchAll(/vitrine:(\d\S+)/g)) t.equal(tag, version)
})

await t.test('every variable is one the configuration knows, with a value it takes', async (t) => {
  const known = new Set(VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`]))
  for (const manifests of [base, demo, example]) {
    for (const { name, container } of deploymentsIn(manifests)) {
      const environment = environmentOf(manifests, container)
      for (const variable of Object.keys(environment)) t.ok(known.has(variable), `${name}: ${variable}`)
      const config = readConfig(environment)
      for (const server of ['NATS_URL', 'MONGODB_URL', 'EVENTSTORE_URL', 'REDIS_URL'] as const) t.ok(config[server], `${name}: ${server}`)
      t.equal(config.ADMIN_TOKEN, undefined, 'a token that everybody can read would be none')
    }
  }
})

await t.test('selectors find their pods, and ports have the numbers of the configuration', async (t) => {
  const accounts = base.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name)
  for (const { name, selector, labels, pod, container } of deploymentsIn(base)) {
    t.ok(matches(selector, labels), name)
    t.ok(accounts.includes(pod.serviceAccountName), name)
    for (const { name: port, containerPort } of container.ports)
      t.equal(String(containerPort), defaultOf(z.enum(['API_PORT', 'WEB_PORT', 'ADMIN_PORT']).parse(`${port.toUpperCase()}_PORT`)), name)
    for (const probe of PROBES) t.equal(container[probe].httpGet.port, 'admin', `${name}: ${probe}`)
  }
  for (const { name, spec } of services) {
    const pods = portsOf(spec.selector)
    t.not(pods.length, 0, name)
    for (const { targetPort } of spec.ports)
      for (const pod of pods) t.ok(pod.ports.has(targetPort), `${name}: ${targetPort} of ${pod.name}`)
  }
})

await t.test('network policies are about ports that the pods have, and let nobody to the admin host but Prometheus', async (t) => {
  const Port = z.object({ port: z.union([z.string(), z.number()]), protocol: z.string().optional() })
  const Peer = z.object({ namespaceSelector: Selector })
  const Policy = z.looseObject({
    podSelector: Selector,
    policyTypes: z.array(z.string()),
    ingress: z.array(z.object({ from: z.array(Peer), ports: z.array(Port) })),
    egress: z.array(z.object({ ports: z.array(Port) })).optional(),
  })
  const policies = specsOf(base, 'NetworkPolicy', Policy)
  const opened = new Map<string, string[]>()
  for (const { name, spec } of policies) {
    const pods = portsOf(spec.podSelector.matchLabels)
    t.not(pods.length, 0, name)
    for (const { from, ports } of spec.ingress) {
      for (const { port } of ports) {
        for (const pod of pods) t.ok(pod.ports.has(String(port)), `${name}: ${port} of ${pod.name}`)
        opened.set(
          String(port),
          from.map(({ namespaceSelector }) => String(Object.values(namespaceSelector.matchLabels))),
        )
      }
    }
  }
  t.strictSame(Object.fromEntries(opened), { admin: ['monitoring'], api: ['ingress-nginx'], web: ['ingress-nginx'] })
  t.ok(policies.some(({ spec }) => spec.policyTypes.includes('Egress') && portsOf(spec.podSelector.matchLabels).length === 3))
  const allowed = policies.flatMap(({ spec }) => spec.egress ?? []).flatMap(({ ports }) => ports.map(({ port }) => Number(port)))
  const secret = base.find(({ kind }) => kind === 'Secret')?.data ?? {}
  for (const [name, url] of Object.entries(secret)) t.ok(allowed.includes(Number(new URL(url).port)), `${name} can be reached`)
})

await t.test('a pod that waits until no caller is sent to it has time left for what it has', async (t) => {
  for (const { name, pod, container } of deploymentsIn(base)) {
    const [, seconds = '0'] = container.lifecycle?.preStop.exec.command ?? []
    t.ok(pod.terminationGracePeriodSeconds >= Number(seconds) + 10, name)
  }
})
