/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // Every client gets a page's metadata in its head: none is streamed behind it.
  htmlLimitedBots: /.*/,
  // Images come right-sized from /media.
  images: { unoptimized: true },
  // Loaded by Node itself: bundled into each route they double the time of a build.
  serverExternalPackages: [
    '@modelcontextprotocol/server',
    '@sindresorhus/slugify',
    'cldr-core',
    'culori',
    'fast-xml-parser',
    'hast-util-to-html',
    'hastscript',
    'kysely',
    'lowlight',
    'lru-cache',
    'mdast-util-to-hast',
    'p-queue',
    'pino',
    'remark-gfm',
    'remark-parse',
    'remark-stringify',
    'rou3',
    'srvx',
    'thumbhash',
    'undici',
    'unified',
    'zod',
  ],
  experimental: {
    // One request less before a page shows.
    inlineCss: true,
    // The bundles of route handlers, which Next does not run here, take 50 MB and a second at the start.
    preloadEntriesOnStart: false,
    // 49 MB that nothing reads.
    serverSourceMaps: false,
  },
  // React writes preloads into the page, which is cached, and not into a header of the render.
  reactMaxHeadersLength: 0,
  // `npm run check` checks types.
  typescript: { ignoreBuildErrors: true },
};
