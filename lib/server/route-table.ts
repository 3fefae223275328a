import type { RoutePath } from '#lib/site/pages/route-paths.ts';

/** A `route.ts` of `app/`: plain web functions, Request → Response. */
export type RouteModule = Readonly<Partial<Record<string, RouteFunction>>>;
export type RouteFunction = (
  request: Request,
  context: { params: Promise<never> },
) => Response | Promise<Response>;

/** The module behind each route path. */
export const routeTable: Readonly<Record<RoutePath, () => Promise<object>>> = {
  '/api/v1/events': () => import('../../app/api/v1/events/route.ts'),
  '/api/v1/events/rss': () => import('../../app/api/v1/events/rss/route.ts'),
  '/api/v1/events/calendar.ics': () => import('../../app/api/v1/events/calendar.ics/route.ts'),
  '/api/v1/events/feed.json': () => import('../../app/api/v1/events/feed.json/route.ts'),
  '/api/v1/events/[idOrSlug]': () => import('../../app/api/v1/events/[idOrSlug]/route.ts'),
  '/api/v1/openapi.json': () => import('../../app/api/v1/openapi.json/route.ts'),
  '/api/[[...unmatched]]': () => import('../../app/api/[[...unmatched]]/route.ts'),
  '/proxy': () => import('../../app/proxy/route.ts'),
  '/proxy/v1/responses': () => import('../../app/proxy/v1/responses/route.ts'),
  '/proxy/v1/responses/compact': () => import('../../app/proxy/v1/responses/compact/route.ts'),
  '/proxy/v1/responses/input_tokens': () =>
    import('../../app/proxy/v1/responses/input_tokens/route.ts'),
  '/proxy/v1/chat/completions': () => import('../../app/proxy/v1/chat/completions/route.ts'),
  '/proxy/v1/messages': () => import('../../app/proxy/v1/messages/route.ts'),
  '/proxy/v1/messages/count_tokens': () =>
    import('../../app/proxy/v1/messages/count_tokens/route.ts'),
  '/proxy/v1/messages/batches/[[...rest]]': () =>
    import('../../app/proxy/v1/messages/batches/[[...rest]]/route.ts'),
  '/proxy/v1/models': () => import('../../app/proxy/v1/models/route.ts'),
  '/proxy/v1/models/[...id]': () => import('../../app/proxy/v1/models/[...id]/route.ts'),
  '/proxy/v1/key': () => import('../../app/proxy/v1/key/route.ts'),
  '/proxy/v1/embeddings': () => import('../../app/proxy/v1/embeddings/route.ts'),
  '/proxy/v1/embeddings/models': () => import('../../app/proxy/v1/embeddings/models/route.ts'),
  '/mcp': () => import('../../app/mcp/route.ts'),
  '/.well-known/api-catalog': () => import('../../app/.well-known/api-catalog/route.ts'),
  '/.well-known/agent-skills/index.json': () =>
    import('../../app/.well-known/agent-skills/index.json/route.ts'),
  '/.well-known/agent-skills/find-events/SKILL.md': () =>
    import('../../app/.well-known/agent-skills/find-events/SKILL.md/route.ts'),
  '/proxy/[...unmatched]': () => import('../../app/proxy/[...unmatched]/route.ts'),
  '/llms.txt': () => import('../../app/llms.txt/route.ts'),
  '/llms-full.txt': () => import('../../app/llms-full.txt/route.ts'),
  '/sitemap.xml': () => import('../../app/sitemap.xml/route.ts'),
  '/sitemap/[part]': () => import('../../app/sitemap/[part]/route.ts'),
  '/robots.txt': () => import('../../app/robots.txt/route.ts'),
  '/manifest.webmanifest': () => import('../../app/manifest.webmanifest/route.ts'),
  '/speculation-rules.json': () => import('../../app/speculation-rules.json/route.ts'),
  '/sign-in': () => import('../../app/sign-in/route.ts'),
  '/sign-in/callback': () => import('../../app/sign-in/callback/route.ts'),
  '/sign-out': () => import('../../app/sign-out/route.ts'),
  '/account/keys': () => import('../../app/account/keys/route.ts'),
  '/account/keys/[id]': () => import('../../app/account/keys/[id]/route.ts'),
  '/account/sessions/[id]': () => import('../../app/account/sessions/[id]/route.ts'),
  '/account/usage.csv': () => import('../../app/account/usage.csv/route.ts'),
  '/account/usage.json': () => import('../../app/account/usage.json/route.ts'),
  '/account/data.json': () => import('../../app/account/data.json/route.ts'),
  '/account/delete': () => import('../../app/account/delete/route.ts'),
  '/account/playground/[api]': () => import('../../app/account/playground/[api]/route.ts'),
  '/admin/members/[id]/change': () => import('../../app/admin/members/[id]/change/route.ts'),
  '/admin/groups/change': () => import('../../app/admin/groups/change/route.ts'),
  '/admin/keys/[id]/revoke': () => import('../../app/admin/keys/[id]/revoke/route.ts'),
  '/docs/try': () => import('../../app/(internal)/docs/try/route.ts'),
  '/embed': () => import('../../app/embed/route.ts'),
  '/oembed': () => import('../../app/oembed/route.ts'),
  '/health': () => import('../../app/health/route.ts'),
  '/health/live': () => import('../../app/health/live/route.ts'),
  '/health/ready': () => import('../../app/health/ready/route.ts'),
  '/media/og.jpg': () => import('../../app/media/og.jpg/route.ts'),
  '/media/og/[file]': () => import('../../app/media/og/[file]/route.ts'),
  '/media/[attachment]': () => import('../../app/media/[attachment]/route.ts'),
  '/markdown/[[...path]]': () => import('../../app/(internal)/markdown/[[...path]]/route.ts'),
  '/plain-text/[[...path]]': () => import('../../app/(internal)/plain-text/[[...path]]/route.ts'),
  '/calendar/[event]': () => import('../../app/(internal)/calendar/[event]/route.ts'),
};

export type Routes = ReadonlyMap<RoutePath, RouteModule>;

export async function loadRoutes(): Promise<Routes> {
  const loaded = Object.entries(routeTable).map(
    async ([path, load]): Promise<[RoutePath, RouteModule]> => [
      path as RoutePath,
      (await load()) as RouteModule,
    ],
  );
  return new Map(await Promise.all(loaded));
}
