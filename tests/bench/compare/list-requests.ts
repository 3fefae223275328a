import { routePaths } from '#lib/site/pages/routes.ts';

export type ListedRequest = Readonly<{
  /** As in `GET /api/v1/events (If-None-Match)`. */
  name: string;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body: unknown;
  /** Sends the validators of a first response, and expects 304. */
  isConditional: boolean;
  hasKey: boolean;
}>;

type Options = Partial<Omit<ListedRequest, 'path'>> & Readonly<{ note?: string }>;

function toRequest(path: string, options: Options = {}): ListedRequest {
  const { method = 'GET', headers = {}, body = null, note } = options;
  const { isConditional = false, hasKey = false } = options;
  const name = `${method} ${path}${note ? ` (${note})` : ''}`;
  return { name, method, path, headers, body, isConditional, hasKey };
}

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const markdown = { Accept: 'text/markdown' };

const listQueries = [
  '',
  '?limit=1',
  '?limit=20&order=desc',
  '?status=upcoming',
  '?status=ongoing,ended',
  '?status=ended&sort=name&limit=5',
  '?format=online',
  '?projectType=Electronics',
  '?q=telescope',
  '?q=%F0%9F%8C%B1',
  '?from=2026-01-01&to=2026-12-31',
  '?sort=announcedAt&order=asc',
];

/** The routes whose path has no variable part. Those of a member or for a program answer with an error. */
const routes = routePaths.filter((path) => !path.includes('['));
const feeds = routes.filter((path) => /\/(?:rss|feed\.json|calendar\.ics|llms\.txt)$/.test(path));

const directoryQueries = [
  '/?q=robot',
  '/?status=upcoming',
  '/?status=ended&format=online',
  '/?q=nothing-matches-this',
  '/?status=wrong',
  '/?page=2',
];

const errors = [
  toRequest('/api/v1/events?limit=0'),
  toRequest('/api/v1/events?statu=ended'),
  toRequest('/api/v1/events?from=2026-13-01'),
  toRequest('/api/v1/events/unknown-event'),
  toRequest('/api/v1/unknown'),
  toRequest('/api'),
  toRequest('/events/unknown-event', { headers: html }),
  toRequest('/events/unknown-event', { headers: markdown, note: 'Markdown' }),
  toRequest('/events/unknown-event.ics'),
  toRequest('/docs/unknown', { headers: html }),
  toRequest('/unknown', { headers: html }),
  toRequest('/', { headers: { Accept: 'image/png' }, note: 'image/png' }),
  toRequest('/%zz', { headers: html }),
  toRequest('/docs/', { headers: html }),
  toRequest('/_next/static/unknown.js'),
  toRequest('/media/attUnknown0000000?w=320'),
  toRequest('/media/og/recUnknown0000000.jpg'),
  toRequest('/api/v1/events', { method: 'DELETE' }),
  toRequest('/api/v1/events', { method: 'OPTIONS' }),
  toRequest('/proxy/v1/models', { method: 'OPTIONS' }),
  toRequest('/', { method: 'POST' }),
  toRequest('/icon.svg', { method: 'DELETE' }),
  toRequest('/proxy/v1/unknown'),
  toRequest('/proxy/v1/chat/completions'),
];

const chat = { model: 'lantern-demo/wick-3', messages: [{ role: 'user', content: 'Hello' }] };
const proxyRequests = [
  toRequest('/proxy/v1/chat/completions', { method: 'POST', body: chat, note: 'no key' }),
  ...[
    { ...chat, model: 'unknown/model' },
    { model: chat.model },
    chat,
    { ...chat, stream: true },
  ].map((body) => toRequest('/proxy/v1/chat/completions', toPost(body))),
  ...[
    { model: chat.model },
    { model: chat.model, input: 'Hello' },
    { model: chat.model, input: 'Hello', stream: true },
  ].map((body) => toRequest('/proxy/v1/responses', toPost(body))),
];

function toPost(body: unknown): Options {
  return { method: 'POST', body, hasKey: true, note: JSON.stringify(body).slice(0, 60) };
}

/** The paths of all pages but those of events, which the sitemap lists. */
async function listPages(url: string): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, loc = '']) => new URL(loc).pathname,
  );
  return paths.filter((path) => !path.startsWith('/events/'));
}

/** The URLs of the tables of routes and pages with variants; events and pictures are those that `url` has. */
export async function listRequests(url: string): Promise<ListedRequest[]> {
  const list = (await (await fetch(`${url}/api/v1/events`)).json()) as { data: ListedEvent[] };
  const listPaths = listQueries.map((query) => `/api/v1/events${query}`);
  const feedPaths = [
    ...routes,
    ...listQueries.map((query) => `/api/v1/events/calendar.ics${query}`),
  ];
  const pages = await listPages(url);
  const [first] = list.data;
  const mediaPaths = list.data.flatMap(({ pictures }) =>
    [pictures?.logo?.id, pictures?.background?.id].filter((id) => typeof id === 'string'),
  );
  const data = [...listPaths, ...feedPaths, ...list.data.map(({ id }) => `/api/v1/events/${id}`)];
  return [
    ...data.map((path) => toRequest(path)),
    toRequest(`/api/v1/events/${first?.slug}`, { note: 'by slug' }),
    ...['/api/v1/events', `/api/v1/events/${first?.id}`, ...feeds].flatMap((path) => [
      toRequest(path, { method: 'HEAD' }),
      toRequest(path, { headers: { 'Accept-Encoding': 'br' }, note: 'br' }),
      toRequest(path, { isConditional: true, note: 'If-None-Match' }),
    ]),
    ...[...pages, ...directoryQueries].flatMap((path) => [
      toRequest(path, { headers: html, note: 'page' }),
      toRequest(path, { headers: markdown, note: 'Markdown' }),
    ]),
    ...pages.map((path) => toRequest(path === '/' ? '/index.md' : `${path}.md`)),
    ...list.data.flatMap(({ slug, id }) => [
      toRequest(`/events/${slug}`, { headers: html, note: 'page' }),
      toRequest(`/events/${slug}.md`),
      toRequest(`/events/${slug}.ics`),
      toRequest(`/events/${id}`, { headers: html, note: 'redirect' }),
    ]),
    ...errors,
    ...proxyRequests,
    // Last: with a picture's first request, its size and placeholder become known to the other responses.
    toRequest(`/media/og/${first?.id}.jpg`),
    ...mediaPaths.slice(0, 4).map((id) => toRequest(`/media/${id}?w=320`)),
  ];
}

type ListedEvent = Readonly<{
  id: string;
  slug: string;
  pictures?: Readonly<Record<'logo' | 'background', Readonly<{ id: string }> | null>>;
}>;
