/**
 * The paths of all route handlers that have a URL of their own, written like Next's directories. Where
 * several match, the most specific wins.
 */
export const routePaths = [
  '/api/v1/events',
  '/api/v1/events/rss',
  '/api/v1/events/calendar.ics',
  '/api/v1/events/feed.json',
  '/api/v1/events/[idOrSlug]',
  '/api/v1/openapi.json',
  '/api/[[...unmatched]]',
  '/proxy',
  '/proxy/v1/responses',
  '/proxy/v1/responses/compact',
  '/proxy/v1/responses/input_tokens',
  '/proxy/v1/chat/completions',
  '/proxy/v1/embeddings',
  '/proxy/v1/key',
  '/proxy/v1/messages',
  '/proxy/v1/messages/count_tokens',
  '/proxy/v1/messages/batches/[[...rest]]',
  '/proxy/v1/models',
  '/proxy/v1/models/[...id]',
  '/proxy/v1/embeddings/models',
  '/mcp',
  '/.well-known/api-catalog',
  '/.well-known/agent-skills/index.json',
  '/.well-known/agent-skills/find-events/SKILL.md',
  '/proxy/[...unmatched]',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/sitemap/[part]',
  '/robots.txt',
  '/manifest.webmanifest',
  '/speculation-rules.json',
  '/docs/try',
  '/embed',
  '/oembed',
  '/health',
  '/health/live',
  '/health/ready',
  '/media/og.jpg',
  '/media/og/[file]',
  '/media/[attachment]',
] as const;

/** Route handlers that are reached by negotiation only: pages as Markdown, calendar files of events. */
export const negotiatedPaths = [
  '/markdown/[[...path]]',
  '/plain-text/[[...path]]',
  '/calendar/[event]',
] as const;

export type RoutePath = (typeof routePaths)[number] | (typeof negotiatedPaths)[number];
