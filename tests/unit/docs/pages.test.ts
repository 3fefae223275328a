import { expect, test } from 'vitest';
import { acceptCases, knownClients } from '#lib/docs/accept-table.ts';
import { toDocsMarkdown } from '#lib/docs/docs-markdown.ts';
import { docsIndex, loadDocsPage } from '#lib/docs/pages.ts';
import { proxyErrors } from '#lib/docs/proxy-errors.ts';
import { errorCodes } from '#lib/http/errors.ts';
import { getReference } from '#lib/openapi/reference.ts';
import { readAnchors, readCells, readLinks } from '../../support/markdown-tree.ts';
import { testSite as site } from '../../support/test-site.ts';

const pages = docsIndex.map(({ path }) => {
  const page = loadDocsPage(path.replace(/^\/docs\/?/, ''), site);
  if (page === undefined) throw new Error(`No page at ${path}`);
  return page;
});

const otherAddresses = [
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/models',
  '/api/v1/openapi.json',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
];

test.each(pages)('$path is Markdown with its title, its forms and /llms.txt on top', (page) => {
  const [title, , forms] = toDocsMarkdown(page, site).split('\n');
  expect(title).toBe(`# ${page.title}`);
  expect(forms).toContain(`(${site.url}${page.path}.md)`);
  expect(forms).toContain(`(${site.url}/llms.txt)`);
});

test.each(pages)('$path is short enough to be read whole, and has no blank left', (page) => {
  const markdown = toDocsMarkdown(page, site);
  expect(markdown.length).toBeLessThan(50_000);
  expect(markdown).not.toMatch(/\{\{|\}\}|undefined/);
  expect(page.description.length).toBeLessThan(160);
});

test.each(pages)(
  'every link of $path is absolute, and leads to something that is there',
  (page) => {
    const links = readLinks(toDocsMarkdown(page, site));
    expect(links.length).toBeGreaterThan(1);
    for (const address of links) {
      expect(address).toMatch(/^https:\/\//);
      if (!address.startsWith(site.url)) continue;
      const [path = '', anchor] = address.slice(site.url.length).replace(/\.md$/, '').split('#');
      const target = pages.find((one) => one.path === path);
      if (target === undefined) expect(otherAddresses, address).toContain(path);
      else if (anchor !== undefined) expect(readAnchors(target), address).toContain(anchor);
    }
  },
);

test.each(pages)('no two headings of $path have the same anchor', (page) => {
  const anchors = readAnchors(page);
  expect(anchors).toEqual([...new Set(anchors)]);
});

test('every error code has a section of its own, and every section is one of a code', () => {
  const page = pages.find(({ path }) => path === '/docs/errors');
  const codes = new Set([...errorCodes, ...proxyErrors.map(({ type, code }) => code ?? type)]);
  const anchors = page === undefined ? [] : readAnchors(page);
  for (const code of codes) expect(anchors).toContain(code);
  expect(anchors.filter((anchor) => !codes.has(anchor))).toEqual([
    'the-events-api',
    'the-ai-proxy',
  ]);
});

test('the table of Accept headers is published as the tests use it', () => {
  const page = pages.find(({ path }) => path === '/docs');
  const rows = page === undefined ? [] : readCells(toDocsMarkdown(page, site));
  for (const { client, accept, form } of [...knownClients, ...acceptCases]) {
    const gets = { html: 'HTML', markdown: 'Markdown', none: '406' }[form];
    expect(rows).toContainEqual([client, accept ?? 'none', gets]);
  }
});

test('the API page has a section for each operation, with samples, answers and an example', () => {
  const page = pages.find(({ path }) => path === '/docs/api');
  const markdown = page === undefined ? '' : toDocsMarkdown(page, site);
  for (const { id, method, path, summary, parameters } of getReference(site).operations) {
    const [, section = ''] = markdown.split(`\n## ${summary}\n`);
    const text = section.split('\n## ')[0] ?? '';
    expect(text, id).toContain(`${method} ${path}`);
    for (const language of ['sh', 'js', 'python'])
      expect(text, id).toContain(`\`\`\`${language}\n`);
    for (const { name } of parameters) expect(text, id).toContain(`| \`${name}\` |`);
    for (const status of ['200', '304', '500', '502']) expect(text, id).toContain(`| ${status} |`);
  }
});

test('a site’s name means nothing to Markdown, whatever stands in it', () => {
  const name = '*Mar* [quee](/evil) `x` <b>';
  const page = loadDocsPage('', { ...site, name });
  const markdown = page === undefined ? '' : toDocsMarkdown(page, site);
  expect(readLinks(markdown)).not.toContain('/evil');
  expect(page?.tree.children.some((node) => JSON.stringify(node).includes('"*Mar*'))).toBe(true);
});

test('there is no page at names that objects have, nor at any other', () => {
  for (const name of ['constructor', '__proto__', 'nothing', 'api/', 'index.md', '../config']) {
    expect(loadDocsPage(name, site)).toBeUndefined();
  }
});
