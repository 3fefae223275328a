import { expect, test } from 'vitest';
import { docsTables, placeTables } from '#lib/cli/build/write-docs-tables.ts';
import { settings } from '#lib/config/settings.ts';
import { parseMarkdown } from '#lib/representations/docs/fill-template.ts';
import { code, table } from '#lib/representations/markdown/nodes.ts';
import { writeMarkdown } from '#lib/representations/markdown/write-markdown.ts';
import { readDocsText } from '../../../support/docs-texts.ts';

// The formatter aligns the columns of tables in files.
const withoutPadding = (markdown: string) => writeMarkdown(parseMarkdown(markdown));

test.each(Object.entries(docsTables))(
  'the tables of %s follow from the code: `npm run format` writes them',
  (file, tables) => {
    const text = readDocsText(file.replace('.md', ''));
    expect(withoutPadding(text)).toBe(withoutPadding(placeTables(text, tables)));
  },
);

test('a table takes the place of the first one below its heading, and nothing else changes', () => {
  const tables = { Two: table(['Name', 'Value'], [[code('A'), 'new']]) };
  const text =
    '# Title\n\n## One\n\n| x |\n| - |\n| y |\n\n## Two\n\nSome *text*\n\n| a |\n| - |\n\nEnd';
  expect(placeTables(text, tables)).toBe(
    '# Title\n\n## One\n\n| x |\n| - |\n| y |\n\n## Two\n\nSome *text*\n\n| Name | Value |\n| - | - |\n| `A` | new |\n\nEnd',
  );
  expect(() => placeTables('# Two\n\nNo table', tables)).toThrow('No table below “Two”.');
});

const readRows = (text: string) =>
  [...text.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]*?) *\|$/gm)].map(
    ([, name = '', meaning = '', last = '']) => ({ name, meaning, last }),
  );

test('/docs/settings has every setting once, with its default', () => {
  const rows = readRows(readDocsText('settings')).filter(({ name }) => name.startsWith('`'));
  expect(rows.map(({ name }) => name.replaceAll('`', '')).toSorted()).toEqual(
    Object.keys(settings).toSorted(),
  );
  const defaults = Object.fromEntries(rows.map(({ name, last }) => [name, last]));
  expect(defaults).toMatchObject({
    '`PORT`': '`3000`',
    '`HOST`': 'all',
    '`WORKERS`': '`1`',
    '`DATABASE_URL`': 'none',
    '`AIRTABLE_ATTACHMENT_HOSTS`': '`dl.airtable.com,v5.airtableusercontent.com`',
  });
});

test('/docs/settings names the file of each secret', () => {
  const secrets = Object.entries(settings).filter(([, setting]) => 'secret' in setting);
  const text = readDocsText('settings');
  for (const [name] of secrets) expect(text).toContain(`\`${name}_FILE\``);
});

test('/docs/events-table has a text for every column, and says which are optional', () => {
  const [, ...rows] = readRows(readDocsText('events-table')).filter(({ name }) =>
    /^[A-Z]/.test(name),
  );
  expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
  const row = (column: string) => rows.find(({ name }) => name === column);
  expect(row('Name')?.last).toBe('');
  expect(row('City')?.last).toBe('yes');
  expect(row('Places Left')).toEqual({
    name: 'Places Left',
    meaning: 'how many more people can sign up, such as `18`',
    last: 'yes',
  });
});
