import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { MAX_PREFIX_LENGTH } from '../contract/operation.js'
import type { McpServerDefinition } from './server-definition.js'
import { toolError } from './tool.js'

/** How long clients may cache lists, which change with a release only. */
const LIST_CACHE_HINT = { ttlMs: 300_000, cacheScope: 'public' } as const

/** The protocol's limit for a completion. */
const MAX_COMPLETIONS = 100
/** The error for an unknown one repeats it. */
const MAX_URI_LENGTH = 500

/** A new SDK server for one exchange, because the endpoint is stateless. */
export function createSdkServer(service: McpServerDefinition, failed: (error: unknown) => void, caller: string): Server {
  const { name, title, version, description, instructions, tools, resources } = service
  const { complete } = resources
  const server = new Server(
    { name, title, version, description },
    {
      capabilities: { tools: {}, resources: {}, ...(complete === undefined ? {} : { completions: {} }) },
      instructions,
      cacheHints: {
        'tools/list': LIST_CACHE_HINT,
        'resources/list': LIST_CACHE_HINT,
        'resources/templates/list': LIST_CACHE_HINT,
        'server/discover': LIST_CACHE_HINT,
      },
    },
  )

  server.setRequestHandler('tools/list', async ({ params }) => {
    rejectCursor(params?.cursor)
    return { tools: tools.map(({ definition }) => definition) }
  })

  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name)
    if (tool === undefined) {
      const names = tools.map(({ definition }) => definition.name).join(', ')
      return toolError('There is no tool of this name', `Call one of these instead: ${names}.`)
    }
    try {
      return await tool.call(params.arguments ?? {}, caller)
    } catch (error) {
      failed(error)
      return toolError('Something went wrong here', 'Try again in a minute; if it stays so, use another tool.')
    }
  })

  server.setRequestHandler('resources/list', async ({ params }) => {
    rejectCursor(params?.cursor)
    return { resources: [...resources.list] }
  })

  server.setRequestHandler('resources/templates/list', async ({ params }) => {
    rejectCursor(params?.cursor)
    return { resourceTemplates: [...resources.templates] }
  })

  server.setRequestHandler('resources/read', async ({ params }) => {
    if (params.uri.length > MAX_URI_LENGTH)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `A uri has at most ${MAX_URI_LENGTH} characters.`)
    const reading = await withErrorsHidden(failed, () => resources.read(params.uri, caller))
    if (reading === null) throw new ResourceNotFoundError(params.uri, 'Resource not found.')
    return { contents: [reading.contents], ttlMs: reading.ttlMs, cacheScope: 'public' as const }
  })

  if (complete === undefined) return server
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    const isOurs = ref.type === 'ref/resource' && resources.templates.some(({ uriTemplate }) => uriTemplate === ref.uri)
    if (!isOurs) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Completions are for the templates of resources/templates/list.')
    const given = context?.arguments ?? {}
    if ([argument.value, ...Object.values(given)].some((value) => value.length > MAX_PREFIX_LENGTH))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `A value to complete has at most ${MAX_PREFIX_LENGTH} characters.`)
    const values = await withErrorsHidden(failed, () => complete(ref.uri, argument.name, argument.value, given))
    return { completion: { values: values.slice(0, MAX_COMPLETIONS), hasMore: values.length > MAX_COMPLETIONS } }
  })

  return server
}

/** Every list is one page, so any cursor is invalid. */
function rejectCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is only one page: leave cursor out.')
}

/** Internal errors are logged; the caller gets no details. */
async function withErrorsHidden<T>(failed: (error: unknown) => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    failed(error)
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong here: try again in a minute.')
  }
}
