import { type McpServerDefinition, PROTOCOL_VERSIONS } from './server-definition.js'

/** The answer to GET on an endpoint: what the server is and how to connect. */
export function serverInfo({ name, title, version, description, instructions, tools, resources }: McpServerDefinition, url: string) {
  return {
    name,
    title,
    version,
    description,
    instructions,
    transport: 'streamable-http',
    url,
    protocolVersions: PROTOCOL_VERSIONS,
    authentication: 'none',
    readOnly: true,
    tools: tools.map(({ definition }) => ({ name: definition.name, title: definition.title, description: definition.description })),
    resources: resources.list.map(({ uri, title: label, mimeType }) => ({ uri, title: label, mimeType })),
    resourceTemplates: resources.templates.map(({ uriTemplate, title: label }) => ({ uriTemplate, title: label })),
  }
}

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** The server card for catalogues. Its name is the reversed host name. */
export function serverCard({ name, title, version, description }: McpServerDefinition, url: string) {
  const { hostname } = new URL(url)
  return {
    $schema: CARD_SCHEMA,
    name: `${hostname.split('.').reverse().join('.')}/${name}`,
    version,
    title,
    description,
    remotes: [{ type: 'streamable-http', url, supportedProtocolVersions: PROTOCOL_VERSIONS }],
  }
}
