import { z } from 'zod';
import { schemaRoot } from './schemas.ts';

/** The parts of an OpenAPI document that the reference shows; the rest is ignored. */

export type Schema = Readonly<{
  $ref?: string | undefined;
  type?: string | readonly string[] | undefined;
  format?: string | undefined;
  description?: string | undefined;
  default?: unknown;
  enum?: readonly string[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxLength?: number | undefined;
  items?: Schema | undefined;
  anyOf?: readonly Schema[] | undefined;
  properties?: Readonly<Record<string, Schema>> | undefined;
  required?: readonly string[] | undefined;
  example?: unknown;
  examples?: readonly unknown[] | undefined;
}>;

const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.string()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    items: schemaSchema.optional(),
    anyOf: z.array(schemaSchema).optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
    example: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
  }),
);

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        in: z.enum(['query', 'path']),
        name: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: schemaSchema,
      }),
    )
    .default([]),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      content: z
        .record(z.string(), z.object({ schema: schemaSchema, example: z.unknown().optional() }))
        .optional(),
    }),
  ),
});

const documentSchema = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), schemaSchema) }),
});

export type OpenApiOperation = z.infer<typeof operationSchema>;
export type OpenApiResponse = OpenApiOperation['responses'][string];

/**
 * Reads the parts of an OpenAPI document that the reference shows, and inlines enumerations.
 * @throws ZodError for an invalid document.
 */
export function readOpenApiDocument(document: unknown): z.infer<typeof documentSchema> {
  const { schemas } = documentSchema.parse(document).components;
  const replaced = JSON.stringify(document, (_, value: unknown) => {
    const { success, data } = referenceSchema.safeParse(value);
    const target = success ? schemas[data.$ref.replace(schemaRoot, '')] : undefined;
    return target?.enum === undefined ? value : target;
  });
  return documentSchema.parse(JSON.parse(replaced));
}

const referenceSchema = z.object({ $ref: z.string() });
