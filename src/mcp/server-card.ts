import { type McpServerDefinition, PROTOCOL_VERSIONS } from './server-definition.js'

/** What GET on an endpoint answers: enough to decide whether, and how, to connect. */
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

/** The server card: who this is and where it listens, for catalogues. Its name is the host's, backwards. */
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
