export type DocsRow = Readonly<{ title: string; description: string; hasReference?: true }>;

/** For people who use the site: pages by their path below `/docs`, which is also the name of their text. */
const usePages: Readonly<Record<string, DocsRow>> = {
  '': {
    title: 'Start here',
    description: 'Three things to do first, feeds and calendars, pages as Markdown.',
  },
  api: {
    title: 'Events API',
    description:
      'Every endpoint, parameter, response and field of the events API, with code samples and a form to try it.',
    hasReference: true,
  },
  ai: {
    title: 'AI proxy',
    description:
      'Use many models with one API key and OpenAI’s SDKs, the AI SDK or LangChain: API keys, streaming, limits, errors.',
  },
  connect: {
    title: 'Coding agents',
    description:
      'Connect Codex, Claude Code or opencode to this site by one command: the scripts, and how to undo it.',
  },
  agents: {
    title: 'Agents',
    description:
      'Add this directory to Claude Code, Codex, Cursor, ChatGPT or VS Code by MCP: tools, examples and discovery.',
  },
  webhooks: {
    title: 'Webhooks',
    description:
      'Be told when events change: what a webhook sends, how to verify it in JavaScript and Python, retries and order.',
  },
  errors: {
    title: 'Errors',
    description: 'Every error code of the events API and the AI proxy, and what to do about it.',
  },
  versioning: {
    title: 'Versioning',
    description:
      'What may change at any time, what needs a new version, and how deprecations are announced.',
  },
};

/** For people who run the site. */
const operatePages: Readonly<Record<string, DocsRow>> = {
  operate: {
    title: 'Operate',
    description: 'A checklist for running this software in production, and where to find the rest.',
  },
  'operate/one-machine': {
    title: 'One machine',
    description: 'Install, start and check an instance on one machine, with systemd and nginx.',
  },
  'operate/several-instances': {
    title: 'Several instances',
    description: 'Several instances that share everything through PostgreSQL.',
  },
  'operate/containers': {
    title: 'Containers',
    description: 'Run one instance or two with Docker Compose, and upgrade without downtime.',
  },
  'operate/commands': {
    title: 'Commands',
    description: 'Every command for operators: checks, keys, members, webhooks, backups.',
  },
  settings: {
    title: 'Settings',
    description:
      'Every setting with its meaning and its default, and how to read secrets from files.',
  },
  'events-table': {
    title: 'Events table',
    description:
      'The columns of the events table, bad rows, how often the table is read, and how to show an edit at once.',
  },
  'operate/cells': {
    title: 'Cells',
    description:
      'What the site makes of every form of cell: times, zones, texts, links, places, choices.',
  },
  upstreams: {
    title: 'Upstreams',
    description:
      'Use several servers of models behind one API: which one gets a request, limits, translation and prices.',
  },
  budgets: {
    title: 'Budgets',
    description:
      'Limits in tokens and dollars by day, week and month, for keys, members, groups and the site.',
  },
  'operate/members': {
    title: 'Members and admins',
    description:
      'Let members sign in with an account they have, and see what admins and the audit log do.',
  },
  'operate/notifications': {
    title: 'Webhooks and mail',
    description: 'Set up webhooks, WebSub, the weekly email and alerts by email.',
  },
  'operate/cdn': {
    title: 'A CDN in front',
    description: 'What a CDN or another cache may store, and for how long.',
  },
  'operate/upgrades': {
    title: 'Upgrades',
    description: 'Upgrade without downtime, roll back, and what a new version does to a database.',
  },
  'operate/backups': {
    title: 'Backups',
    description: 'Back up and restore keys and usage, and what may be lost in which case.',
  },
  'operate/security': {
    title: 'Security',
    description: 'Replace secrets, revoke leaked keys, and see what the threat model covers.',
  },
  'operate/monitoring': {
    title: 'Monitoring',
    description: 'Metrics, alert rules and a dashboard, and how much memory and disk to allow.',
  },
};

const docsRows: Readonly<Record<string, DocsRow>> = { ...usePages, ...operatePages };

/** The row of `/docs/{name}`, if there is such a page. */
export function findDocsRow(name: string): DocsRow | undefined {
  return Object.hasOwn(docsRows, name) ? docsRows[name] : undefined;
}

/** The paths of pages below `/docs`, in the order of the navigation. */
export const docsNames: readonly string[] = Object.keys(docsRows);

export const docsPaths: readonly string[] = docsNames.map(toDocsPath);

export type DocsLink = Readonly<{ path: string; title: string; description: string }>;

/** The groups of pages: each begins with the one that leads to the others. */
export const docsGroups: readonly (readonly DocsLink[])[] = [
  toLinks(usePages),
  toLinks(operatePages),
];

function toLinks(pages: Readonly<Record<string, DocsRow>>): DocsLink[] {
  return Object.entries(pages).map(([name, { title, description }]) => {
    return { path: toDocsPath(name), title, description };
  });
}

/** @param name a path below `/docs`; empty for `/docs`. */
export function toDocsPath(name: string): string {
  return name === '' ? '/docs' : `/docs/${name}`;
}
