import { z } from 'zod';
import { eventSchema } from '#lib/events/model/schema.ts';
import { errorCodes } from '#lib/http/errors.ts';

/** What the answers of the events API look like around their events. */

const generatedAt = z.iso.datetime().meta({
  description: 'When the table was read. Two answers with one `generatedAt` come from one read.',
});

export const eventListSchema = z
  .object({
    data: z.array(eventSchema),
    meta: z.object({
      count: z.int().min(0).meta({ description: 'How many events `data` holds.' }),
      generatedAt,
    }),
  })
  .meta({ id: 'EventList' });

export const eventItemSchema = z
  .object({ data: eventSchema, meta: z.object({ generatedAt }) })
  .meta({ id: 'EventItem' });

export const errorSchema = z
  .object({
    error: z.string().meta({ description: 'What happened, in words. The same as `message`.' }),
    code: z.enum(errorCodes).meta({ description: 'What happened, for programs. Never renamed.' }),
    message: z.string(),
    hint: z
      .string()
      .optional()
      .meta({ description: 'What to change so that the request succeeds.' }),
    status: z.int().meta({ description: 'The HTTP status once more.' }),
    documentation_url: z.url(),
  })
  .meta({ id: 'Error' });
