import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { h } from 'hastscript';
import { toWeekdayInWords } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { respondFromSnapshot, type SnapshotParts } from '#lib/events/respond-from-snapshot.ts';
import { requireEventByAnySlug } from '#lib/events/search/require-event.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import {
  toFormatInWords,
  toPlace,
  toStateInWords,
  toTitleWithState,
} from '#lib/events/view/event-facts.ts';
import { selectNext } from '#lib/events/view/select-views.ts';
import { eventPageUrl, pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { shortenText, toOneLine } from '#lib/events/words/clean-text.ts';
import { listFilterWords, statusWords } from '#lib/events/words/filter-words.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { toWhen } from '#lib/events/words/when.ts';
import { toHttpError } from '#lib/http/errors/errors.ts';
import { createResponse, type HeaderFields } from '#lib/http/response.ts';
import type { ErrorResponder } from '#lib/http/route.ts';
import { crossOriginHeaders } from '#lib/http/security-headers.ts';
import { toPosterProperties, toPosterTheme } from '../theming/poster-theme.ts';
import { type EmbedQuery, type EmbedScheme, parseEmbedQuery } from './embed-query.ts';

type EmbedOptions = Readonly<{ site: Site; query: EmbedQuery; today: string }>;

const placeLengthMax = 120;

/** A list of events as an HTML document for an `<iframe>`. It needs no script and no other file. */
export function toEmbedHtml(
  events: readonly MarqueeEvent[],
  { site, query, today }: EmbedOptions,
): string {
  const { filters, scheme, count, event } = query;
  const search = formatQuery(filters);
  const words = listFilterWords(filters).map((filter) => filter.words);
  const heading = event === null ? words.join(' · ') || 'Events' : 'Event';
  const shown = events.slice(0, count);
  return toDocument({ site, scheme, title: `${toOneLine(site.name)}: ${heading}` }, [
    h('header', [
      toLink(pageUrl(site, 'directory', search), toOneLine(site.name)),
      h('h1', [h('bdi', heading)]),
    ]),
    shown.length > 0
      ? h(
          'ol',
          shown.map((event) => toItem(event, site, today)),
        )
      : h('p', { className: 'none' }, 'Nothing is planned at the moment.'),
    toFooter({ site, search, total: event === null ? events.length : 0, count: shown.length }),
  ]);
}

/** An error as an HTML document for an `<iframe>`. */
export function toEmbedErrorHtml(
  { message, hint = '' }: Readonly<{ message: string; hint?: string | undefined }>,
  site: Site,
): string {
  return toDocument({ site, scheme: 'auto', title: toOneLine(site.name) }, [
    h('header', [toLink(pageUrl(site, 'directory'), toOneLine(site.name))]),
    h('p', { className: 'none' }, `${message} ${hint}`),
  ]);
}

type DocumentOptions = Readonly<{ site: Site; scheme: EmbedScheme; title: string }>;

function toDocument({ site, scheme, title }: DocumentOptions, body: ElementContent[]): string {
  return toHtml({
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en', dataScheme: scheme === 'auto' ? undefined : scheme }, [
        h('head', [
          h('meta', { charSet: 'utf-8' }),
          h('meta', { name: 'viewport', content: 'width=device-width' }),
          h('meta', { name: 'robots', content: 'noindex' }),
          h('title', title),
          h('meta', { name: 'description', content: `Events of ${toOneLine(site.name)}.` }),
          h('link', { rel: 'canonical', href: pageUrl(site, 'directory') }),
          h('style', embedStyle),
        ]),
        h('body', [h('main', body)]),
      ]),
    ],
  });
}

function toItem(event: MarqueeEvent, site: Site, today: string): Element {
  const place = shortenText(toPlace(event) ?? '', placeLengthMax) || toFormatInWords(event.format);
  const { words, detail, inPerson } = toWhen(event, today);
  const inPersonWords = inPerson && `In person: ${inPerson.words}`;
  const days = detail === '' ? words : `${words}, ${detail}`;
  const facts = [days, inPersonWords, place].filter((fact) => fact !== null);
  return h('li', [
    toTile(event),
    h('div', [
      h('h2', [toLink(eventPageUrl(site, event.slug), toTitleWithState(event))]),
      // The no-break space prevents lines that start with a dot.
      h('p', [h('bdi', facts.join('\u00a0· '))]),
    ]),
  ]);
}

/** The first day, or that it has begun, in the colours of the poster. The days follow in words. */
function toTile(event: MarqueeEvent): Element {
  const theme = toPosterTheme(event);
  const properties = theme && toPosterProperties(theme);
  const style = properties
    ? `--poster-background:${properties['--poster-background']};--poster-text:${properties['--poster-text']}`
    : undefined;
  const attributes = { className: 'tile', ariaHidden: 'true', style };
  const state = toStateInWords(event.state);
  if (state !== null) return h('div', attributes, state);
  if (event.status === 'ongoing') return h('div', attributes, statusWords.ongoing);
  const [weekday = '', day = '', month = ''] = toWeekdayInWords(event.startDate).split(' ');
  return h('div', attributes, [weekday.slice(0, 3), h('b', day), month.slice(0, 3)]);
}

type FooterOptions = Readonly<{ site: Site; search: string; total: number; count: number }>;

function toFooter({ site, search, total, count }: FooterOptions): Element {
  const all = total > count ? `All ${formatCount(total)} events` : 'All events';
  return h('footer', [
    toLink(pageUrl(site, 'directory', search), all),
    toLink(pageUrl(site, 'subscribe', search), 'Subscribe'),
  ]);
}

function toLink(href: string, text: string): Element {
  return h('a', { href, target: '_blank', rel: 'noopener' }, [h('bdi', text)]);
}

/** The style sheet of an embed. System fonts, so that it needs no other file. */
const embedStyle = `
:root { color-scheme: light dark; --paper: light-dark(#fff, #101112); --ink: light-dark(#141414, #f1f1ec);
  --quiet: light-dark(#55565a, #a8a9ae); --line: light-dark(#d3d3cd, #303135); --tile: light-dark(#e7e7e2, #2a2b2e); }
:root[data-scheme="light"] { color-scheme: light; }
:root[data-scheme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.4 system-ui, sans-serif;
  overflow-wrap: anywhere; }
header, footer { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; padding: 0.5rem 0.75rem; }
header { border-bottom: 3px dotted #ffc21a; background: #141414; color: #fff; }
header a { font-weight: 700; text-decoration: none; }
h1 { margin: 0; font-size: 0.875rem; font-weight: 400; }
a { color: inherit; }
header a, footer a { display: inline-block; padding-block: 0.2rem; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
ol { margin: 0; padding: 0; list-style: none; }
li { position: relative; display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0.75rem; align-items: center;
  padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); }
.tile { display: grid; align-content: center; justify-items: center; min-height: 4rem; padding: 0.25rem;
  border: 1px solid rgb(128 128 128 / 35%); border-radius: 3px; background: var(--poster-background, var(--tile));
  color: var(--poster-text, var(--ink)); font-size: 0.75rem; font-weight: 600; line-height: 1.2; text-align: center; }
.tile b { font-size: 1.5rem; line-height: 1.05; }
h2 { margin: 0; font-size: 1rem; line-height: 1.25; }
h2 a { text-decoration: none; }
h2 a::after { content: ""; position: absolute; inset: 0; }
li:hover h2 a { text-decoration: underline; }
li p, .none, footer { color: var(--quiet); font-size: 0.875rem; }
li p { margin: 0; }
.none { margin: 0; padding: 1rem 0.75rem; }
@media (forced-colors: active) { .tile { border-color: CanvasText; } }
`;

type Parts = SnapshotParts & Readonly<{ site: Site }>;

const contentType = 'text/html; charset=utf-8';

// Nothing runs or loads in an embed, so any site may frame it: there is nothing to click but links.
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
];
const headers: HeaderFields = [
  ['Content-Security-Policy', policy.join('; ')],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  ['X-Robots-Tag', 'noindex'],
  // A page that isolates itself shows only frames that do the same (HTML, COEP).
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
  ...crossOriginHeaders,
];

/**
 * Responds with a list of events, or one event, for an `<iframe>`.
 * @throws HttpError 400 for an invalid query, 404 for an unknown event.
 */
export async function respondWithEmbed(request: Request, parts: Parts): Promise<Response> {
  const { site, events } = parts;
  const query = parseEmbedQuery(new URL(request.url).search);
  const snapshot = await events.current();
  const shown = await selectShown(snapshot, query);
  return respondFromSnapshot(request, parts, snapshot, {
    key: `embed ${JSON.stringify(query)}`,
    contentType,
    headers: () => headers,
    write: () => toEmbedHtml(shown, { site, query, today: snapshot.day }),
  });
}

async function selectShown(snapshot: EventsSnapshot, { event, filters }: EmbedQuery) {
  if (event === null) return selectNext(snapshot, filters);
  return [await requireEventByAnySlug(snapshot, event)];
}

/** An error as a page that any site may frame. */
export const toEmbedErrorResponse: ErrorResponder<Pick<Parts, 'site'>> = (thrown, { site }) => {
  const error = toHttpError(thrown);
  const response = createResponse({
    status: error.status,
    headers: [
      ['Content-Type', contentType],
      ['Cache-Control', 'no-store'],
      ...headers,
      ...Object.entries(error.headers),
    ],
    body: toEmbedErrorHtml(error, site),
  });
  return { failure: error, response };
};
