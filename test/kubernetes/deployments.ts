/** The deployments among manifests, as far as tests look at them. */
import { z } from 'zod'
import type { Manifest } from './manifests.js'

const Labels = z.record(z.string(), z.string())
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })

const Container = z.looseObject({
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.array(
    z.union([z.object({ configMapRef: z.object({ name: z.string() }) }), z.object({ secretRef: z.object({ name: z.string() }) })]),
  ),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }).optional(),
})

const Deployment = z.object({
  replicas: z.number().optional(),
  selector: z.object({ matchLabels: Labels }),
  template: z.object({
    metadata: z.object({ labels: Labels }),
    spec: z.looseObject({
      serviceAccountName: z.string(),
      terminationGracePeriodSeconds: z.number(),
      containers: z.tuple([Container]),
    }),
  }),
})

export const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const

export function deploymentsIn(manifests: readonly Manifest[]) {
  return manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata: { name }, spec }) => {
      const { replicas, selector, template } = Deployment.parse(spec)
      const pod = template.spec
      return { name, replicas, selector: selector.matchLabels, labels: template.metadata.labels, pod, container: pod.containers[0] }
    })
}

/** The variables that a container is started with. */
export function environmentOf(manifests: readonly Manifest[], { env, envFrom }: z.infer<typeof Container>): Record<string, string> {
  const sources = envFrom.map((source) => {
    const [kind, { name }] = 'configMapRef' in source ? ['ConfigMap', source.configMapRef] : ['Secret', source.secretRef]
    const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)
    if (found?.data === undefined) throw new Error(`there is no ${kind} ${name}`)
    return found.data
  })
  return Object.assign({}, ...sources, ...env.map(({ name, value }) => ({ [name]: value })))
}
