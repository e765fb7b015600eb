import type { Parameter, RequestBody } from '../../../discovery/openapi/types.js'

/** Values for parameters in the path, by name. */
export type Examples = Record<string, string>

interface Call {
  method: string
  server: string
  path: string
  parameters: readonly Parameter[]
  body: RequestBody | null
  examples: Examples
}

/** A command line that calls an endpoint with example values. */
export function curlFor({ method, server, path, parameters, body, examples }: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encodeURIComponent(String(examples[name] ?? parameter?.example ?? name))
  })
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined && parameter.example !== parameter.schema.default)
      .map(({ name, example }): [string, string] => [name, String(example)]),
  )
  const address = quoted(`${server}${filled}${query.size === 0 ? '' : `?${query}`}`)
  const [media] = Object.entries(body?.content ?? {})
  const lines = [method === 'get' ? `curl ${address}` : `curl -X ${method.toUpperCase()} ${address}`]
  if (media !== undefined) {
    const [type, { example }] = media
    lines.push(`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(JSON.stringify(example ?? {}))}`)
  }
  return lines.join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
