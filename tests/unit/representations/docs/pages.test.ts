import { expect, test } from 'vitest';
import { errorCodes } from '#lib/http/errors/errors.ts';
import { proxyErrors } from '#lib/representations/docs/generated-tables.ts';
import { docsNames } from '#lib/representations/docs/page-rows.ts';
import { loadDocsPage, toTextMarkdown } from '#lib/representations/docs/pages.ts';
import { getReference } from '#lib/representations/openapi/reference.ts';
import { readAnchors, readLinks } from '../../../support/responses/markdown-tree.ts';
import { testSite as site } from '../../../support/test-site.ts';

function toPage(name: string) {
  const page = loadDocsPage(name, site);
  if (page === undefined) throw new Error(`No page ${name}`);
  return page;
}

const pages = docsNames.map(toPage);

const otherPaths = [
  '/account',
  '/account/requests',
  '/account/usage',
  '/changes',
  '/api/v1/events/changes/rss',
  '/llms.txt',
  '/proxy/v1/openapi.json',
  '/llms-full.txt',
  '/sitemap.xml',
  '/models',
  '/calendar',
  '/map',
  '/subscribe',
  '/saved',
  '/robots.txt',
  '/.well-known/api-catalog',
  '/.well-known/agent-skills/index.json',
  '/.well-known/mcp/catalog.json',
  '/mcp/server-card',
  '/api/v1/openapi.json',
  '/api/v1/events/rss',
  '/api/v1/events/feed.atom',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
];

/** Characters of Markdown: an agent reads a page as a whole. Each operation and schema of the API has its own. */
const budgets = { page: 50_000, guide: 12_000, operation: 9_000, schema: 4_000 };

test.each(pages)('$path is complete Markdown, with links that lead somewhere', (page) => {
  const markdown = toTextMarkdown(page, site);
  const [title, , links] = markdown.split('\n');
  expect(title).toBe(`# ${page.title}`);
  expect(links).toContain(`(${site.url}${page.path}.md)`);
  expect(links).toContain(`(${site.url}/llms.txt)`);
  expect(markdown).not.toMatch(/\{\{\w|undefined/);
  expect(page.description.length).toBeLessThan(160);
  if (page.path !== '/docs/api') expect(markdown.length).toBeLessThan(budgets.page);
  const anchors = readAnchors(page);
  expect(anchors).toEqual([...new Set(anchors)]);
  const urls = readLinks(markdown);
  expect(urls.length).toBeGreaterThan(1);
  for (const url of urls) {
    expect(url).toMatch(/^https:\/\//);
    if (!url.startsWith(site.url)) continue;
    const [path = '', anchor] = url.slice(site.url.length).replace(/\.md$/, '').split('#');
    const target = pages.find((page) => page.path === path);
    if (target === undefined) expect(otherPaths, url).toContain(path);
    else if (anchor !== undefined) expect(readAnchors(target), url).toContain(anchor);
  }
});

test('each part of /docs/api is within its budget', () => {
  const [introduction = '', ...sections] = toTextMarkdown(toPage('api'), site).split('\n## ');
  const { operations, schemas } = getReference(site);
  const budgetOf = (title: string) => {
    if (operations.some(({ summary }) => summary === title)) return budgets.operation;
    return schemas.some(({ name }) => name === title) ? budgets.schema : null;
  };
  const parts = sections.map((text) => {
    const [title = ''] = text.split('\n');
    return { title, size: text.length, budget: budgetOf(title) };
  });
  const guide = parts.filter(({ budget }) => budget === null);
  const guideSize = guide.reduce((sum, { size }) => sum + size, introduction.length);
  parts.push({ title: 'everything before the reference', size: guideSize, budget: budgets.guide });
  expect(parts.filter(({ size, budget }) => size > (budget ?? size))).toEqual([]);
  expect(parts).toHaveLength(guide.length + operations.length + schemas.length + 1);
});

/** Where the sections of `/docs/operate` are now, by the anchor that links from elsewhere have. */
const movedSections = {
  'one-machine': 'operate/one-machine',
  'several-instances': 'operate/several-instances',
  containers: 'operate/containers',
  members: 'operate/members',
  budgets: 'budgets',
  'admin-pages': 'operate/members#admin-pages',
  'when-the-table-changes': 'events-table#when-the-table-changes',
  'webhooks-and-web-sub': 'operate/notifications#webhooks',
  mail: 'operate/notifications#mail',
  'a-cdn-in-front': 'operate/cdn',
  'upgrade-and-roll-back': 'operate/upgrades',
  'backup-and-restore': 'operate/backups#backup-and-restore',
  'what-may-be-lost': 'operate/backups#what-may-be-lost',
  secrets: 'operate/security#secrets',
  sizes: 'operate/monitoring#sizes',
  alerts: 'operate/monitoring#alerts',
  'threat-model': 'operate/security#threat-model',
};

test('sections that were on /docs/operate lead to where they are now', () => {
  const nodes = pages.find(({ path }) => path === '/docs/operate')?.tree.children ?? [];
  for (const [anchor, target] of Object.entries(movedSections)) {
    const heading = nodes.findIndex(
      (node) => node.type === 'heading' && node.data?.hProperties?.id === anchor,
    );
    const text = nodes[heading + 1];
    expect(text?.type === 'paragraph' ? text.children[0] : text, anchor).toMatchObject({
      type: 'link',
      url: `${site.url}/docs/${target}`,
    });
  }
});

test('every error code has a section, and there are no others', () => {
  const codes = new Set([...errorCodes, ...proxyErrors.map(({ type, code }) => code ?? type)]);
  const anchors = readAnchors(toPage('errors'));
  for (const code of codes) expect(anchors).toContain(code);
  expect(anchors.filter((anchor) => !codes.has(anchor))).toEqual([
    'the-events-api',
    'the-ai-proxy',
    // In lists of requests.
    'client_closed_request',
  ]);
});

test('the API page has a section for each operation, with samples, responses and an example', () => {
  const markdown = toTextMarkdown(toPage('api'), site);
  for (const { id, method, path, summary, parameters } of getReference(site).operations) {
    const [, section = ''] = markdown.split(`\n## ${summary}\n`);
    const text = section.split('\n## ')[0] ?? '';
    expect(text, id).toContain(`${method} ${path}`);
    for (const language of ['sh', 'js', 'python'])
      expect(text, id).toContain(`\`\`\`${language}\n`);
    // In its table, or as one of another operation.
    for (const { name } of parameters)
      expect(text, id).toMatch(new RegExp(`(?:\\| |[:,] )\`${name}\``));
    for (const status of ['200', '304', '500', '502']) expect(text, id).toContain(`| ${status} |`);
  }
});

test('a site name is never parsed as Markdown', () => {
  const name = '*Mar* [quee](/evil) `x` <b>';
  const page = loadDocsPage('', { ...site, name });
  const markdown = page === undefined ? '' : toTextMarkdown(page, site);
  expect(readLinks(markdown)).not.toContain('/evil');
  expect(page?.tree.children.some((node) => JSON.stringify(node).includes('"*Mar*'))).toBe(true);
});

test('other names have no page, those of object properties included', () => {
  for (const name of ['constructor', '__proto__', 'nothing', 'api/', 'index.md', '../../config']) {
    expect(loadDocsPage(name, site)).toBeUndefined();
  }
});
