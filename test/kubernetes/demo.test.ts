/** The cluster to try: its servers are found, and its pods as closed as the namespace demands. */
import t from 'tap'
import { z } from 'zod'
import { build } from './manifests.js'

const demo = build('ops/kubernetes/demo')
const Container = z.looseObject({
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  securityContext: z.looseObject({}),
})
const Pod = z.looseObject({ securityContext: z.looseObject({}), containers: z.tuple([Container]) })
const Template = z.looseObject({ metadata: z.object({ labels: z.record(z.string(), z.string()) }), spec: Pod })
const pods = demo.flatMap(({ kind, metadata: { name }, spec }) =>
  spec?.template === undefined ? [] : [{ kind, name, ...Template.parse(spec.template) }],
)
const servers = pods.filter(({ kind }) => kind === 'StatefulSet')

t.test('every address in the secret is a service that leads to its server', async (t) => {
  const { data = {} } = demo.find(({ kind }) => kind === 'Secret') ?? {}
  const Service = z.looseObject({
    selector: z.record(z.string(), z.string()),
    ports: z.array(z.looseObject({ port: z.number(), targetPort: z.string() })),
  })
  for (const [name, url] of Object.entries(data).filter(([, value]) => value !== 'nats')) {
    const { hostname, port } = new URL(url)
    const service = Service.parse(demo.find(({ kind, metadata }) => kind === 'Service' && metadata.name === hostname)?.spec)
    const [target] = service.ports.filter((one) => String(one.port) === port)
    const server = servers.find(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === service.selector['app.kubernetes.io/name'])
    const found = server?.spec.containers[0].ports.find(({ name }) => name === target?.targetPort)
    t.equal(String(found?.containerPort), port, name)
  }
})

t.test('every pod is let in by the restricted profile of its namespace', async (t) => {
  t.equal(demo.find(({ kind }) => kind === 'Namespace')?.metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted')
  t.equal(pods.length, 7)
  for (const { name, spec } of pods) {
    t.match(
      spec,
      { automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } },
      name,
    )
    t.match(spec.containers[0].securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }, name)
  }
})
