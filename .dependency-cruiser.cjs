/** Which way imports run (see the README). Each rule says what to do instead. */
const directory = (name) => `^lib/${name}/`;

/** What each directory of lib/ may import from the others; the platform, packages and `timing` are open to all. */
const mayImport = {
  config: [],
  http: [],
  timing: [],
  telemetry: ['health', 'http'],
  events: ['http', 'telemetry'],
  airtable: ['events', 'http', 'telemetry'],
  feeds: ['events', 'markdown'],
  embed: ['events', 'http', 'theming'],
  markdown: ['events', 'playground'],
  seo: ['events', 'markdown'],
  theming: ['events'],
  media: ['events', 'http', 'markdown', 'telemetry', 'theming'],
  openapi: ['events', 'feeds', 'http'],
  docs: ['events', 'feeds', 'http', 'markdown', 'mcp', 'openapi'],
  agents: ['events'],
  mcp: ['docs', 'events', 'http', 'markdown', 'openapi'],
  pages: ['docs', 'events', 'http', 'markdown', 'playground'],
  playground: [],
  admin: [
    ...['ai-proxy', 'airtable', 'config', 'events', 'http', 'keys', 'members', 'spend', 'storage'],
  ],
  members: ['ai-proxy', 'config', 'http', 'keys', 'spend', 'storage'],
  'ai-proxy': ['config', 'http', 'keys', 'shared-state', 'spend', 'storage', 'telemetry'],
  keys: ['config', 'http', 'spend', 'storage', 'telemetry'],
  spend: ['config', 'http', 'shared-state', 'storage', 'telemetry'],
  health: ['http', 'shared-state', 'storage'],
  // Its database puts the tables of these domains together.
  storage: ['config', 'http', 'keys', 'spend'],
  'shared-state': ['http'],
  demo: [],
  cli: [
    ...['admin', 'ai-proxy', 'airtable', 'config', 'demo', 'events', 'http', 'keys', 'media'],
    ...['server', 'shared-state', 'spend', 'storage'],
  ],
};

const directoryRules = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `${name}-imports-only-${allowed.join('-and-') || 'itself'}`,
  comment: `lib/${name} may import ${allowed.map((one) => `lib/${one}`).join(', ') || 'no other directory'}: hand what it needs in as an argument, from services.ts.`,
  severity: 'error',
  from: { path: directory(name) },
  to: { path: '^(lib|app)/', pathNot: [name, 'timing', ...allowed].map(directory) },
}));

module.exports = {
  forbidden: [
    ...directoryRules,
    {
      name: 'no-circles',
      comment: 'Two modules that need each other are one, or lack a third that both import.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-the-edge-imports-services',
      comment: 'services.ts puts parts together; a part takes what it needs as an argument.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(server|cli)/|^lib/services\\.ts$' },
      to: { path: '^lib/services\\.ts$' },
    },
    {
      name: 'lib-does-not-import-app',
      comment: 'Only the route table names modules of app/.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/server/route-table\\.ts$' },
      to: { path: '^app/' },
    },
    {
      name: 'routes-are-plain-web-functions',
      comment: 'They run without Next: use Request and Response.',
      severity: 'error',
      from: { path: '^app/.*/route\\.ts$' },
      to: { path: '^(node_modules/(next|react)/|app/_components/)|\\.tsx$' },
    },
    {
      name: 'components-load-nothing',
      comment: 'A component shows what it is given; its page loads it.',
      severity: 'error',
      from: { path: '^app/.*\\.tsx$', pathNot: '(page|layout)\\.tsx$' },
      to: {
        path: '^lib/',
        pathNot: '^lib/(admin|embed|events|feeds|markdown|members|openapi|playground|seo|theming)/',
      },
    },
    {
      name: 'the-product-does-not-know-of-the-demo',
      comment: 'The demo is reached over HTTP, through settings.',
      severity: 'error',
      from: { path: '^(app|lib)/', pathNot: '^lib/(demo|cli)/' },
      to: { path: '^lib/demo/' },
    },
    {
      name: 'no-unresolved',
      comment: 'It points at nothing. (mdast and hast are types alone.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(mdast|hast)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
