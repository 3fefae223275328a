/** A module of `app/` that answers with plain web functions: Request → Response. */
export type RouteModule = Readonly<Partial<Record<string, RouteFunction>>>;
export type RouteFunction = (
  request: Request,
  context: { params: Promise<never> },
) => Response | Promise<Response>;

/** Every address that the lane serves, and the module that serves it. The first match counts. */
export const laneTable: readonly Readonly<{ path: string; load: () => Promise<object> }>[] = [
  { path: '/api/v1/events', load: () => import('../../app/api/v1/events/route.ts') },
  { path: '/api/v1/events/rss', load: () => import('../../app/api/v1/events/rss/route.ts') },
  {
    path: '/api/v1/events/calendar.ics',
    load: () => import('../../app/api/v1/events/calendar.ics/route.ts'),
  },
  {
    path: '/api/v1/events/feed.json',
    load: () => import('../../app/api/v1/events/feed.json/route.ts'),
  },
  {
    path: '/api/v1/events/[idOrSlug]',
    load: () => import('../../app/api/v1/events/[idOrSlug]/route.ts'),
  },
  { path: '/api/v1/openapi.json', load: () => import('../../app/api/v1/openapi.json/route.ts') },
  { path: '/api/[[...unmatched]]', load: () => import('../../app/api/[[...unmatched]]/route.ts') },
  { path: '/proxy/v1/responses', load: () => import('../../app/proxy/v1/responses/route.ts') },
  {
    path: '/proxy/v1/chat/completions',
    load: () => import('../../app/proxy/v1/chat/completions/route.ts'),
  },
  { path: '/proxy/v1/models', load: () => import('../../app/proxy/v1/models/route.ts') },
  {
    path: '/proxy/v1/embeddings/models',
    load: () => import('../../app/proxy/v1/embeddings/models/route.ts'),
  },
  {
    path: '/proxy/[[...unmatched]]',
    load: () => import('../../app/proxy/[[...unmatched]]/route.ts'),
  },
  { path: '/llms.txt', load: () => import('../../app/llms.txt/route.ts') },
  { path: '/llms-full.txt', load: () => import('../../app/llms-full.txt/route.ts') },
  { path: '/sitemap.xml', load: () => import('../../app/sitemap.xml/route.ts') },
  { path: '/sitemap/[part]', load: () => import('../../app/sitemap/[part]/route.ts') },
  { path: '/robots.txt', load: () => import('../../app/robots.txt/route.ts') },
  {
    path: '/manifest.webmanifest',
    load: () => import('../../app/manifest.webmanifest/route.ts'),
  },
  { path: '/docs/try', load: () => import('../../app/(internal)/docs/try/route.ts') },
  {
    path: '/calendar/[event]',
    load: () => import('../../app/(internal)/calendar/[event]/route.ts'),
  },
  { path: '/health', load: () => import('../../app/health/route.ts') },
  { path: '/media/og.jpg', load: () => import('../../app/media/og.jpg/route.ts') },
  { path: '/media/og/[file]', load: () => import('../../app/media/og/[file]/route.ts') },
  {
    path: '/media/[attachment]',
    load: () => import('../../app/media/[attachment]/route.ts'),
  },
  {
    path: '/markdown/[[...path]]',
    load: () => import('../../app/(internal)/markdown/[[...path]]/route.ts'),
  },
];
