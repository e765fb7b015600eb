/** The parts of OpenAPI 3.1 that the document uses. */

export const METHODS = ['get', 'post'] as const
export type Method = (typeof METHODS)[number]

/** A JSON Schema (2020-12). Check each keyword before use. */
export interface JsonSchema {
  [keyword: string]: unknown
}

export interface Reference {
  $ref: string
  /** OpenAPI 3.1 lets a reference replace the description of what it points to. */
  description?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface Header {
  description: string
  schema: JsonSchema
  example?: unknown
}

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>
export type Headers = Record<string, Header | Reference>

export interface Response {
  description: string
  headers?: Headers
  content?: Content
}

export interface RequestBody {
  description?: string
  required?: boolean
  content: Content
}

export interface Server {
  url: string
  description?: string
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  servers?: Server[]
  security: Record<string, string[]>[]
  'x-service-permissions': string[]
  /** The name of a public read in batches, and of its MCP tool. */
  'x-service-operation'?: string
  parameters?: (Parameter | Reference)[]
  requestBody?: RequestBody
  responses: Record<string, Response | Reference>
}

export type PathItem = Partial<Record<Method, OperationObject>>

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; summary: string; description: string; license: { name: string; identifier: string } }
  servers: Server[]
  security: Record<string, string[]>[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
  }
}

export interface Endpoint {
  method: Method
  path: string
  operation: OperationObject
}
