import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import { send } from '../../support/clients/http-client.ts';
import {
  siteUrl,
  startMarqueeInProcess,
  startSiteInProcess,
} from '../../support/servers/marquee-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { makeRecord } from '../../support/upstreams/upstream.ts';

/** Calendars say how often an event has changed. */

let timeMs = Date.parse('2026-11-22T12:00:00.000Z');
const now = () => timeMs;

function toRecord(cells: Readonly<Record<string, unknown>>): AirtableRecord {
  return makeRecord({ Name: 'Lantern Jam', 'Start Date': '2026-12-05', ...cells });
}

test('SEQUENCE rises when an event changes, is the same in all instances, and survives restarts', async () => {
  let cells: Record<string, unknown> = {};
  const settings = { DATA_DIR: makeTestFolder() };
  await using site = await startSiteInProcess(
    { records: () => [toRecord(cells)], settings },
    { now },
  );
  const sequenceOf = async (server: Readonly<{ port: number }>) => {
    timeMs += 241_000;
    const { text } = await send(server, '/api/v1/events/calendar.ics');
    expect((await send(server, '/events/lantern-jam.ics')).text).toContain('SEQUENCE:');
    return /^SEQUENCE:(\d+)\r$/m.exec(text)?.[1];
  };

  expect(await sequenceOf(site)).toBe('0');
  cells = { State: 'Postponed' };
  expect(await sequenceOf(site)).toBe('1');
  cells = { State: 'Postponed', Pinned: true };
  expect(await sequenceOf(site)).toBe('1');
  await site.stop();

  await using two = await startMarqueeInProcess(site.settings, { now });
  expect(await sequenceOf(two)).toBe('1');
  cells = { State: 'Cancelled' };
  expect(await sequenceOf(two)).toBe('2');
});

test('without a database events are served, and SEQUENCE counts on from 0', async () => {
  // A file where the folder of the database would be.
  const file = join(makeTestFolder(), 'file');
  writeFileSync(file, '');
  let cells: Record<string, unknown> = {};
  const records = () => [toRecord(cells)];
  const settings = { DATA_DIR: join(file, 'data') };
  await using server = await startSiteInProcess({ records, settings }, { now });
  const read = async () => (await send(server, '/api/v1/events/calendar.ics')).text;
  expect(await read()).toContain(`URL:${siteUrl}/events/lantern-jam\r\n`);
  expect(await read()).toContain('SEQUENCE:0\r\n');
  cells = { State: 'Cancelled' };
  timeMs += 241_000;
  expect(await read()).toContain('SEQUENCE:1\r\n');
  expect(server.logText()).toContain('slugs of events could not be read');
});
