import { z } from 'zod';
import { changedValuesSchema, eventChangeSchema } from '#lib/events/changes/change.ts';
import { eventStateSchema, eventStatusSchema } from '#lib/events/model/choices.ts';
import {
  eventBackgroundSchema,
  eventPicturesSchema,
  eventThemeSchema,
  pictureSchema,
} from '#lib/events/model/poster.ts';
import { eventSchema } from '#lib/events/model/schema.ts';
import {
  eventInPersonSchema,
  eventOrganizerSchema,
  eventPlaceSchema,
  scheduleEntrySchema,
} from '#lib/events/model/time-and-place.ts';
import { errorCodes } from '#lib/http/errors/errors.ts';

/** Response bodies of the events API. */

const generatedAt = z.iso.datetime().meta({
  description:
    'When the table was read. Responses with the same `generatedAt` come from the same read.',
});

export const eventListSchema = z
  .object({
    data: z.array(eventSchema),
    meta: z.object({
      count: z.int().min(0).meta({ description: 'Number of events in `data`.' }),
      generatedAt,
      without: z.string().nullable().optional().meta({
        description: 'If no event meets `q`: the condition without which `closest` does.',
      }),
      didYouMean: z.string().nullable().optional().meta({
        description: '`q` with misspelled names corrected.',
      }),
      closest: z
        .array(
          z.object({
            event: eventSchema,
            distanceKm: z.number().nullable().meta({
              description: 'From the place that was asked for.',
            }),
          }),
        )
        .optional(),
    }),
  })
  .meta({ id: 'EventList' });

export const eventItemSchema = z
  .object({ data: eventSchema, meta: z.object({ generatedAt }) })
  .meta({ id: 'EventItem' });

export const eventChangeListSchema = z
  .object({
    data: z.array(eventChangeSchema),
    meta: z.object({
      next: z.string().meta({ description: 'Pass it as `since` to continue, now or later.' }),
      hasMore: z.boolean().meta({ description: 'Whether there are more changes now.' }),
      generatedAt: z.iso.datetime().meta({ description: 'When the table was read last.' }),
    }),
  })
  .meta({ id: 'EventChangeList' });

/** Its fields that this API has (https://www.jsonfeed.org/version/1.1/). */
const jsonFeedSchema = z
  .object({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    description: z.string(),
    language: z.string(),
    home_page_url: z.url(),
    feed_url: z.url(),
    hubs: z.array(z.object({ type: z.string(), url: z.url() })).optional(),
    _marquee: z.object({ about: z.url(), generated_at: z.iso.datetime() }),
    items: z.array(
      z.object({
        id: z.string().meta({ description: 'Never changes.' }),
        url: z.url().meta({ description: 'The event’s page.' }),
        external_url: z.url().optional().meta({ description: 'The event’s own website.' }),
        title: z.string(),
        summary: z.string(),
        content_text: z.string(),
        date_published: z.iso.datetime().meta({ description: 'When the event was announced.' }),
        tags: z.array(z.string()).optional().meta({ description: 'Its project types.' }),
        _marquee: z
          .looseObject({ id: z.string(), slug: z.string() })
          .meta({ description: 'What JSON Feed has no field for, with the API’s field names.' }),
      }),
    ),
  })
  .meta({ id: 'JsonFeed', description: 'A feed in the format JSON Feed 1.1.' });

export const errorSchema = z
  .object({
    error: z.string().meta({ description: 'What went wrong, for people. Same as `message`.' }),
    code: z
      .enum(errorCodes)
      .meta({ description: 'What went wrong, for programs. Codes are never renamed.' }),
    message: z.string(),
    hint: z.string().optional().meta({ description: 'How to fix the request.' }),
    status: z.int().meta({ description: 'The HTTP status code.' }),
    documentation_url: z.url(),
  })
  .meta({ id: 'Error' });

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses: what the reference shows of it. */
export type JsonSchema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  example?: unknown;
  examples?: readonly unknown[];
}>;

/** The prefix of references to schemas. */
export const schemaRoot = '#/components/schemas/';

/** The schemas that have an id, which refer to each other. */
const namedSchemas = [
  eventListSchema,
  eventItemSchema,
  eventChangeListSchema,
  jsonFeedSchema,
  eventChangeSchema,
  changedValuesSchema,
  eventSchema,
  eventStatusSchema,
  eventStateSchema,
  scheduleEntrySchema,
  eventInPersonSchema,
  eventPlaceSchema,
  eventOrganizerSchema,
  eventBackgroundSchema,
  eventThemeSchema,
  eventPicturesSchema,
  pictureSchema,
  errorSchema,
];

/** The schemas of all bodies for the OpenAPI document, by their ids. */
export function toComponentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const schema of namedSchemas) registry.add(schema, { id: schema.meta()?.id ?? '' });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => schemaRoot + id });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [
      id,
      schema as JsonSchema,
    ]),
  );
}

/** The JSON Schema of what clients send. */
export function toInputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input' });
  return plain as JsonSchema;
}
