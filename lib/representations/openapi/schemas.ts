import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
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
    }),
  })
  .meta({ id: 'EventList' });

export const eventItemSchema = z
  .object({ data: eventSchema, meta: z.object({ generatedAt }) })
  .meta({ id: 'EventItem' });

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
