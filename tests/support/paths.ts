/** One of each kind: pages, representations, the API, the proxy, files, and what is none of them. */
export const pathsOfAllKinds = [
  '/',
  '/docs/operate',
  '/no-such-page',
  '//docs',
  '/events.ics',
  '/feed.xml',
  '/api/v1/events',
  '/api/v1/nothing',
  '/api/v1/events?limit=x',
  '/proxy/v1/models',
  '/proxy/v1/key',
  '/mcp',
  '/health',
  '/llms.txt',
  '/_next/static/no-such-file.js',
  '/%',
];
