import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nodes, Table } from 'mdast';
import { toString as toNodeText } from 'mdast-util-to-string';
import { quirkTable } from '#lib/ai-proxy/quirks/quirks.ts';
import type { Setting } from '#lib/config/settings/setting.ts';
import { settingGroups } from '#lib/config/settings.ts';
import { columnFacts } from '#lib/events/model/field-lists.ts';
import { describeReason } from '#lib/events/source/airtable/problem-groups.ts';
import { feedRows } from '#lib/events/view/representation-table.ts';
import { type CellForm, cellForms } from '#lib/representations/docs/cell-forms.ts';
import { parseMarkdown, parsePhrases } from '#lib/representations/docs/fill-template.ts';
import { code, link, root, table } from '#lib/representations/markdown/nodes.ts';
import { writeMarkdown } from '#lib/representations/markdown/write-markdown.ts';

/**
 * Tables that follow from the code and stand in a text of the documentation, so that they can be read where the
 * code is hosted: by the text, then by their heading. `npm run format` writes them.
 */
export const docsTables: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  '../../../README.md': { 'One table, every representation': toRepresentationsTable() },
  'index.md': { 'Feeds and calendars': toFeedsTable() },
  'settings.md': Object.fromEntries(
    Object.entries(settingGroups).map(([title, group]) => [title, toSettingsTable(group)]),
  ),
  'upstreams.md': { Translation: toQuirksTable() },
  'events-table.md': { Columns: toColumnsTable() },
  'operate/cells.md': Object.fromEntries(
    Object.entries(cellForms).map(([title, forms]) => [title, toFormsTable(forms)]),
  ),
};

function toRepresentationsTable(): Table {
  const feeds = feedRows.map(({ standard, path }) => [standard, `\`${path}\``]);
  return table(
    ['Representation', 'All events', 'One event'],
    [
      ['Page', '`/`', '`/events/{slug}`'],
      ['Month view', '`/calendar`, `/calendar?month=2026-12`'],
      ['Recently announced', '`/recent`'],
      ['What has changed', '`/changes`, `/api/v1/events/changes` (or a stream)', 'on its page'],
      ['City, organizer, series', '`/in/{city}`, `/by/{organizer}`, `/series/{name}`'],
      ['Map', '`/map`, `/map?area=europe`, `/map?area=BE`', 'on its page'],
      [
        'Markdown',
        '`/` with `Accept: text/markdown`, or `/index.md`',
        'likewise `/events/{slug}`, or `/events/{slug}.md`',
      ],
      ['JSON', '`/api/v1/events`', '`/api/v1/events/{idOrSlug}`'],
      ...feeds,
      ['iCalendar', '`/api/v1/events/calendar.ics`', '`/events/{slug}.ics`'],
      ['Index for language models', '`/llms.txt`'],
      ['Everything in one file', '`/llms-full.txt`'],
      ['Sitemap', '`/sitemap.xml`'],
      ['OpenAPI 3.1', '`/api/v1/openapi.json`'],
      ['MCP', '`/mcp`: `search`, `list_events`, `list_changes`', '`fetch`, `get_event`'],
      ['Open Graph image', '`/media/og.jpg`', '`/media/og/{id}.jpg`'],
      ['For an `<iframe>`', '`/embed`', '`/embed?event={id}`'],
      ['oEmbed', '`/oembed?url=…`', '`/oembed?url=…`'],
    ].map(([name = '', all = '', one = '']) => [name, all, one].map(parsePhrases)),
  );
}

function toFeedsTable(): Table {
  const feeds = feedRows.map(({ title, path }) => [
    link(`{{site.url}}${path}`, title),
    'the 20 latest announcements, for a feed reader',
  ]);
  return table(
    ['Subscribe to', 'What you get'],
    [
      ...feeds,
      [
        link('{{site.url}}/api/v1/events/calendar.ics', 'Calendar'),
        'all events, as a calendar that updates itself',
      ],
    ],
  );
}

function toSettingsTable(group: Readonly<Record<string, Setting<unknown>>>): Table {
  return table(
    ['Variable', 'Meaning', 'Default'],
    Object.entries(group).map(([name, setting]) => [
      code(name),
      parsePhrases(setting.meaning),
      parsePhrases(setting.unset ?? toDefault(setting)),
    ]),
  );
}

function toDefault({ schema }: Setting<unknown>): string {
  const value = schema.parse(undefined);
  return value === undefined ? 'none' : `\`${value}\``;
}

function toQuirksTable(): Table {
  const rows = quirkTable.flatMap(({ name, server, gets = '' }) =>
    server === undefined ? [] : [[`${server} (\`${name}\`)`, gets].map(parsePhrases)],
  );
  return table(['A server that', 'gets'], rows);
}

function toColumnsTable(): Table {
  return table(
    ['Column', 'Holds', 'Optional'],
    columnFacts.map(({ column, holds, isRequired }) => [
      column,
      parsePhrases(holds),
      isRequired ? '' : 'yes',
    ]),
  );
}

function toFormsTable(forms: readonly CellForm[]): Table {
  return table(
    ['Cells', 'Become', 'Reported'],
    forms.map(({ cells, becomes, reported }) => [
      code(toPairs(cells)),
      code(toPairs(becomes)),
      reported === undefined ? '' : describeReason(reported.replace(/^.*: /, '')).meaning,
    ]),
  );
}

function toPairs(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value.replaceAll('\n', '⏎') : JSON.stringify(value);
    return `${name}: ${text}`;
  });
  return pairs.join('; ');
}

/** Puts tables into a text: each takes the place of the first table below its heading. */
export function placeTables(markdown: string, tables: Readonly<Record<string, Table>>): string {
  const { children } = parseMarkdown(markdown);
  let text = markdown;
  for (const [title, table] of Object.entries(tables).toReversed()) {
    const isHeading = (node: Nodes) => node.type === 'heading' && toNodeText(node) === title;
    const heading = children.findIndex(isHeading);
    const place = children.slice(heading + 1).find(({ type }) => type === 'table')?.position;
    if (heading === -1 || place === undefined) throw new Error(`No table below “${title}”.`);
    const { start, end } = place;
    text = `${text.slice(0, start.offset)}${writeMarkdown(root(table)).trimEnd()}${text.slice(end.offset)}`;
  }
  return text;
}

const directory = join(import.meta.dirname, '../../representations/docs');

if (import.meta.main) {
  for (const [file, tables] of Object.entries(docsTables)) {
    const path = join(directory, file);
    writeFileSync(path, placeTables(readFileSync(path, 'utf8'), tables));
  }
}
