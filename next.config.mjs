import { fixedPageHeaders } from './lib/http/security-headers.ts';

/** Names and values in turn, as Next wants them. */
function toPairs(headers) {
  return headers.flatMap((key, at) => (at % 2 === 0 ? [{ key, value: headers[at + 1] }] : []));
}

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // Loaded by Node itself, as the lane does: bundled into each route they double the time of a build.
  serverExternalPackages: [
    ...['@hono/node-server', '@sindresorhus/slugify', 'culori', 'fast-xml-parser'],
    ...[
      'hono',
      'kysely',
      'lru-cache',
      'mdast-util-to-hast',
      'p-queue',
      'pino',
      'redis',
      'remark-gfm',
    ],
    ...['remark-parse', 'remark-stringify', 'thumbhash', 'undici', 'unified', 'zod'],
  ],
  // Pages that Next sends by itself. The front and the routes say what they send.
  headers: async () => [
    { source: '/((?!api/|proxy/|media/|_next/|.*\\.).*)', headers: toPairs(fixedPageHeaders) },
  ],
  experimental: {
    // One request less before a page shows.
    inlineCss: true,
    // Each route's bundle would be read at the start, those that the lane answers for among them: 50 MB and
    // a second. First visits take as long with it as without.
    preloadEntriesOnStart: false,
  },
  // `npm run check` has the last word on types, in a fraction of the time.
  typescript: { ignoreBuildErrors: true },
};
