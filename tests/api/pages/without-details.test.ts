import { expect, test } from 'vitest';
import { getPage } from '../../support/clients/http-client.ts';
import { forTests } from '../../support/for-tests.ts';
import { readPage } from '../../support/responses/read-page.ts';
import { startSite, toDay } from '../../support/servers/marquee-server.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

/** Pages of a table without columns for times, places in parts, organizers, series and prices. */

const today = toDay(Date.now());
const records = [
  makeRecord({ Name: 'Bare Bones', 'Start Date': today }, 1),
  makeRecord({ Name: 'One Day', 'Start Date': today, 'End Date': today, Format: 'Online' }, 2),
  makeRecord({ Name: 'Long Ago', 'Start Date': '2020-01-01', 'End Date': '2020-01-02' }, 3),
];

// `/recent` has what is new.
const createdTime = new Date().toISOString();
const server = forTests(() =>
  startSite({ records: records.map((record) => ({ ...record, createdTime })) }),
);

const paths = [
  '/',
  '/?view=list',
  '/calendar',
  '/recent',
  '/embed',
  '/events/bare-bones',
  '/events/one-day',
  '/events/long-ago',
];

test.for(paths)('%s says nothing of what the table does not know', async (path) => {
  const page = await getPage(server, path);
  expect(page.status).toBe(200);
  const main = toMain(page.text);
  expect(main).toMatch(/Bare Bones|One Day|Long Ago/);
  expect(readPage(main).text).not.toMatch(/\b(?:null|undefined|NaN|Invalid Date)\b/);
  expect(readPage(main).text).not.toMatch(/\b\d\d:\d\d\b/);
  // Labels and headings have something to name, but for messages to come; React separates texts by comments.
  const filled = main.replaceAll(/<!--.*?-->/g, '');
  expect(filled).not.toMatch(
    /<(dt|dd|li|h[1-4]|p|time|bdi|ul|dl)(?![^>]* role="status")(?: [^>]*)?>\s*<\/\1>/,
  );
  const labels = [...filled.matchAll(/<(?:dt|h[1-4])(?: [^>]*)?>(.*?)<\/(?:dt|h[1-4])>/g)].map(
    ([, html = '']) => readPage(html).text,
  );
  const needsDetails =
    /^(Schedule|On the map|Good to know|When and where|Organizer|Time|Place|Address|Series|Price|Places left|Age)$/;
  expect(labels.filter((label) => needsDetails.test(label))).toEqual([]);
  expect(main).not.toMatch(/href="\/(?:in|by|series)\//);
});

function toMain(html: string): string {
  return /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html;
}
