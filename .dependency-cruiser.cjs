/** Which way imports run (see the README). Each rule says what to do instead. */
const directory = (name) => `^lib/${name}/`;

/** The directories of lib/, from the top: each imports only those below it. */
const stack = [
  ...[
    'server',
    'cli',
    'site',
    'accounts',
    'representations',
    'ai-proxy',
    'keys',
    'spend',
    'events',
  ],
  ...['outbox', 'telemetry', 'storage', 'config', 'http'],
];

/** The directories of lib/events/, from the top. */
const eventsStack = ['view', 'search', 'source', 'changes', 'words', 'query', 'model'].map(
  (name) => `events/${name}`,
);

const toRules = (directories) =>
  directories.slice(1).map((name, index) => ({
    name: `${name.replace('/', '-')}-imports-only-what-stands-below-it`,
    comment: `lib/${name} may import ${directories.slice(index + 2).join(', ') || 'no other directory'}: hand what it needs in as an argument, or move what both need down.`,
    severity: 'error',
    from: { path: directory(name) },
    to: {
      path: directories.slice(0, index + 1).map(directory),
      // A command starts the server, and makes its files ready.
      ...(name === 'cli' && { pathNot: directory('server') }),
    },
  }));

module.exports = {
  forbidden: [
    ...toRules(stack),
    ...toRules(eventsStack),
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
      to: { path: '^lib/(services|database)\\.ts$' },
    },
    {
      name: 'only-sqlite-opens-the-database',
      comment:
        'Any other open and close of its file drops the locks of the process. Ask lib/storage/connection.ts, or open a copy, as backups do.',
      severity: 'error',
      from: { path: '^(app|lib)/', pathNot: '^lib/(storage|cli/backup)/' },
      to: { path: '^(node:)?sqlite$|^lib/storage/(database-file|sqlite)\\.ts$' },
    },
    {
      name: 'lib-does-not-import-app',
      comment: 'The server loads the modules of app/ that lib/site/pages/routes.ts names.',
      severity: 'error',
      from: { path: '^lib/' },
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
        pathNot:
          '^lib/(accounts/|events/|representations/(clients/|embed/|feeds/|markdown/|listed-models|map/|openapi/|seo/|theming/)|site/(notifications/mail/|playground/))',
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
      name: 'the-demo-stands-alone',
      comment:
        'Its servers take the place of others’ services. Its table has the columns of the site’s fields.',
      severity: 'error',
      from: { path: directory('demo') },
      to: { path: '^(lib|app)/', pathNot: [directory('demo'), '^lib/events/model/'] },
    },
    {
      name: 'no-unresolved',
      comment: 'It points at nothing. (These are types alone.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(mdast|hast|geojson|topojson-specification)$' },
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
