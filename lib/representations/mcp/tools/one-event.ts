import { z } from 'zod';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { requireEvent, requireEventByAnySlug } from '#lib/events/search/require-event.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { eventPageUrl, readEventPath, type Site, toSitePath } from '#lib/events/view/site-urls.ts';
import { toEventPageMarkdown } from '../../markdown/pages/event.ts';
import { eventItemSchema } from '../../openapi/schemas.ts';
import { defineTool } from '../tool.ts';

/** A URL of a slug in letters that are percent-encoded is long. */
const idLengthMax = 2_000;

export const getEvent = defineTool({
  name: 'get_event',
  title: 'Get an event',
  description:
    'Returns all data of one event, as `GET /api/v1/events/{idOrSlug}` does: dates, format, place, project types, links, requirements, description and styling.',
  inputSchema: z.strictObject({
    id: z.string().min(1).max(idLengthMax).meta({
      description:
        'An event’s id, its slug, or the URL of its page. Ids never change; slugs do on a rename.',
    }),
  }),
  outputSchema: eventItemSchema,
  async run({ id }, { site, events }) {
    const snapshot = await events.current();
    const event = await findRequested(snapshot, id, site);
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
    id: z
      .string()
      .min(1)
      .max(idLengthMax)
      .meta({ description: 'An event’s id, its slug, or the URL of its page.' }),
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
    const event = await findRequested(snapshot, id, site);
    return {
      id: event.id,
      title: toEventTitle(event),
      text: toEventPageMarkdown(event, { site, snapshot }),
      url: eventPageUrl(site, event.slug),
      metadata: toMetadata(event),
    };
  },
});

/** Models cite pages, and then ask for what they have cited. @throws HttpError 404 */
function findRequested(snapshot: EventsSnapshot, id: string, site: Site): Promise<MarqueeEvent> {
  const slug = readEventPath(toSitePath(site, URL.parse(id)));
  // A URL goes on leading to an event that was renamed.
  return slug === null ? requireEvent(snapshot, id) : requireEventByAnySlug(snapshot, slug);
}

function toMetadata(event: MarqueeEvent): Record<string, string> {
  const { status, startDate, endDate, startsAt, endsAt, format, price } = event;
  const organizer = event.organizer?.name ?? null;
  const dates = { status, startDate, endDate, startsAt, endsAt };
  const facts = { ...dates, format, place: toPlace(event), organizer, price };
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null),
  );
}
