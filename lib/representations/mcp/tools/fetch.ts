import { z } from 'zod';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { toEventTitle, toPlace } from '#lib/events/view/event-facts.ts';
import { eventPageUrl } from '#lib/events/view/site-urls.ts';
import { toEventMarkdown } from '../../markdown/pages/event.ts';
import { defineTool } from './tool.ts';

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
    const event = requireEvent(await events.current(), id);
    return {
      id: event.id,
      title: toEventTitle(event),
      text: toEventMarkdown(event, { site }),
      url: eventPageUrl(site, event.slug),
      metadata: toMetadata(event),
    };
  },
});

function toMetadata(event: MarqueeEvent): Record<string, string> {
  const { status, startDate, endDate, format } = event;
  const facts = { status, startDate, endDate, format, place: toPlace(event) };
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null),
  );
}
