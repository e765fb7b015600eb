import { z } from 'zod'
import { type Operation, pathParameters } from '../../../operations/operation.js'
import { operations } from '../../../operations/registry.js'

/** What pages offer to agents in the browser (WebMCP): every public read, as the script needs to know it to register and call it. */
export const webMcpTools = (baseUrl: string, list: readonly Operation[] = operations): string =>
  JSON.stringify(
    list.map(({ name, summary, description, path, input }) => ({
      name,
      title: summary,
      description,
      inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
      address: baseUrl + path,
      inPath: pathParameters(path),
    })),
  )
