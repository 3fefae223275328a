import { z } from 'zod';
import type { NamedSchema } from '#lib/ai-proxy/endpoint.ts';
import { endpoints, errorSchemas } from '#lib/ai-proxy/endpoints.ts';
import { anyRecord, findListItem } from '#lib/ai-proxy/protocols/json/fields.ts';
import { type JsonSchema, schemaRoot } from './schemas.ts';

export function refer(schema: NamedSchema): JsonSchema {
  return { $ref: schemaRoot + Object.keys(schema).join() };
}

/** All bodies of the AI proxy, by name. */
export function toProxySchemas(): Record<string, z.core.JSONSchema.BaseSchema> {
  const all: NamedSchema = Object.assign(
    {},
    ...endpoints.map(({ request }) => request),
    ...endpoints.map(({ response }) => response),
    ...Object.values(errorSchemas),
  );
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, toSchema(schema)]));
}

/** What clients may send: null for an omitted field, and fields that are not listed. */
function toSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const item = findListItem(zodSchema);
      if (item !== undefined) jsonSchema.items = toSchema(item);
      if (isAnyRecord(zodSchema)) jsonSchema.type = 'object';
    },
  });
  return plain;
}

const anyRecordCheck = anyRecord()._zod.def.type;

/** `anyRecord` is the only custom type. */
function isAnyRecord({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === anyRecordCheck;
}
