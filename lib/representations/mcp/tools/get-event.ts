import { z } from 'zod';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { eventItemSchema } from '../../openapi/schemas.ts';
import { defineTool } from './tool.ts';

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event',
  description:
    'Returns all data of one event, as `GET /api/v1/events/{idOrSlug}` does: dates, format, place, project types, links, requirements, description and styling.',
  inputSchema: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'An event’s id or slug. Ids never change; slugs do on a rename.' }),
  }),
  outputSchema: eventItemSchema,
  async run({ id }, { events }) {
    const snapshot = await events.current();
    const event = requireEvent(snapshot, id);
    return {
      data: toPublished(event, snapshot.signedUrls),
      meta: { generatedAt: snapshot.generatedAt },
    };
  },
});
