import { z } from 'zod'

/** What the printer reads of an OpenAPI document. One of another installation is checked against it. */

const JsonSchema = z.record(z.string(), z.unknown())
const Reference = z.object({ $ref: z.string() })

const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().default(''),
  schema: JsonSchema.default({}),
})

const Response = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: JsonSchema.optional() })).optional() })

const Operation = z.looseObject({
  operationId: z.string().default(''),
  description: z.string().default(''),
  deprecated: z.boolean().optional(),
  parameters: z.array(z.union([Reference, Parameter])).optional(),
  responses: z.record(z.string(), z.union([Reference, Response])).default({}),
  'x-service-operation': z.string().optional(),
})

export const ApiDescription = z.object({
  paths: z.record(z.string(), z.object({ get: Operation.optional(), post: Operation.optional() })),
  components: z.object({
    schemas: z.record(z.string(), JsonSchema).default({}),
    parameters: z.record(z.string(), Parameter).default({}),
    responses: z.record(z.string(), Response).default({}),
  }),
})
export type ApiDescription = z.output<typeof ApiDescription>
export type OperationDescription = z.output<typeof Operation>
export type ParameterDescription = z.output<typeof Parameter>
export type ResponseDescription = z.output<typeof Response>
export type Reference = z.output<typeof Reference>

/** The document describes no service of this kind, or cannot be understood. */
export class UnfitDocumentError extends Error {
  override name = 'UnfitDocumentError'
}
