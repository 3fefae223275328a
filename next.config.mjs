/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Images come right-sized from /media.
  images: { unoptimized: true },
  // Loaded by Node itself: bundled into each route they double the time of a build.
  serverExternalPackages: [
    ...[
      '@modelcontextprotocol/server',
      '@redis/client',
      '@sindresorhus/slugify',
      'culori',
      'fast-xml-parser',
      'hast-util-to-html',
      'hastscript',
      'kysely',
      'lowlight',
      'lru-cache',
    ],
    ...['mdast-util-to-hast', 'p-queue', 'pino', 'remark-gfm', 'remark-parse'],
    ...['remark-stringify', 'rou3', 'srvx', 'thumbhash', 'undici', 'unified', 'zod'],
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

/**
 * The build contains the part of Next that serves pages, so that production needs no `node_modules/next`, which has
 * 300 MB (`lib/cli/build/link-built-next.ts`). What else pages import is a dependency, and stays in `node_modules`.
 * @type {import('next').NextConfig}
 */
const copyOfNext = {
  output: 'standalone',
  outputFileTracingExcludes: { '/*': ['**'] },
  // A server of one's own reads this file at its start, and Next then looks for webpack and Babel.
  outputFileTracingIncludes: {
    '/*': ['webpack', '@babel/runtime'].map((name) => `node_modules/next/dist/compiled/${name}/**`),
  },
};

/** @param {string} phase */
export default function toConfig(phase) {
  return phase === 'phase-production-build' ? { ...config, ...copyOfNext } : config;
}
