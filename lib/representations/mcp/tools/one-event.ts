import { z } from 'zod';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { toEventPageMarkdown } from '../../markdown/pages/event.ts';
import { eventItemSchema } from '../../openapi/schemas.ts';
import { defineTool } from '../tool.ts';

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
    const event = await requireEvent(snapshot, id);
    return {
      data: toPublished(event, snapshot.signedUrls),
      meta: { generatedAt: snapshot.generatedAt },
    };
  },
});

/** One event as a document, in the form that ChatGPT's connectors require. */
export const fetchEvent = defineTool({
  name: 'fetch',
  title: 'Read an event',
  description:
    'Returns the whole page of an event as Markdown, by the `id` of a search result. For its data, use `get_event`.',
  inputSchema: z.strictObject({
    id: z.string().min(1).max(200).meta({ description: 'An event’s id or slug.' }),
  }),
  outputSchema: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string().meta({ description: 'The page as Markdown.' }),
    url: z.url().meta({ description: 'The page to cite.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Status, dates and place.' }),
  }),
  async run({ id }, { site, events }) {
    const snapshot = await events.current();
    const event = await requireEvent(snapshot, id);
    return {
      id: event.id,
      title: toEventTitle(event),
      text: toEventPageMarkdown(event, { site, snapshot }),
      url: eventPageUrl(site, event.slug),
      metadata: toMetadata(event),
    };
  },
});

function toMetadata(event: MarqueeEvent): Record<string, string> {
  const { status, startDate, endDate, startsAt, endsAt, format, price } = event;
  const organizer = event.organizer?.name ?? null;
  const dates = { status, startDate, endDate, startsAt, endsAt };
  const facts = { ...dates, format, place: toPlace(event), organizer, price };
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null),
  );
}
