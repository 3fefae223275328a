import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { createApiError } from '#lib/http/errors/errors.ts';

const embedSchemes = ['auto', 'light', 'dark'] as const;
export type EmbedScheme = (typeof embedSchemes)[number];

/** What an embed shows. */
export type EmbedQuery = Readonly<{
  filters: EventsQuery;
  /** Most events. */
  count: number;
  scheme: EmbedScheme;
  /** The id or slug of a single event; null for the list. */
  event: string | null;
}>;

export const embedCount = { min: 1, max: 20, usual: 5 } as const;

/**
 * Parses the query of an embed. Unknown parameters are ignored, since sites add theirs to every URL.
 * @throws HttpError 400 for an invalid value, for the person who is writing the `<iframe>`.
 */
export function parseEmbedQuery(search: string): EmbedQuery {
  const { query: filters, problems } = parsePageQuery('subscribe', search);
  const [problem] = problems;
  if (problem !== undefined) throw createApiError('bad_request', problem);
  const parameters = new URLSearchParams(search);
  return {
    filters,
    count: parseCount(parameters.get('count')),
    scheme: parseScheme(parameters.get('scheme')),
    event: parameters.get('event') || null,
  };
}

function parseCount(text: string | null): number {
  if (text === null || text === '') return embedCount.usual;
  const { min, max } = embedCount;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= min && count <= max) return count;
  throw createApiError('bad_request', {
    message: 'Invalid value for the parameter `count`.',
    hint: `\`count\` must be an integer from ${min} to ${max}.`,
  });
}

function parseScheme(text: string | null): EmbedScheme {
  if (text === null || text === '') return 'auto';
  const scheme = embedSchemes.find((scheme) => scheme === text);
  if (scheme !== undefined) return scheme;
  throw createApiError('bad_request', {
    message: 'Invalid value for the parameter `scheme`.',
    hint: '`scheme` must be one of `auto`, `light`, `dark`.',
  });
}

/** An `<iframe>` with an embed. */
type EmbedFrame = Readonly<{
  src: string;
  title: string;
  width: number | '100%';
  height: number;
}>;

/** In CSS pixels: header and footer, and one event. */
const frameHeight = 84;
const eventHeight = 82;

/** The height of an embed with this many events, if their names are not long. */
export function toFrameHeight(count: number): number {
  return frameHeight + count * eventHeight;
}

/** The HTML that people paste into their own pages. */
export function toFrameHtml({ src, title, width, height }: EmbedFrame): string {
  const style = 'border:0;max-width:100%';
  const frame = h('iframe', { src, title, width, height, style, loading: 'lazy' });
  return toHtml(frame, { characterReferences: { useNamedReferences: true } });
}
