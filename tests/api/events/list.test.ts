import { expect, test } from 'vitest';
import { sampleRecords } from '#lib/demo/data/sample-records.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { edgeCaseRecords } from '../../support/airtable/edge-case-records.ts';
import { type HttpResponse, send } from '../../support/clients/http-client.ts';
import { readEventList } from '../../support/responses/api-responses.ts';
import { toDay } from '../../support/servers/marquee-server.ts';
import { runServerForTests } from '../../support/servers/running-server.ts';

// The edge cases have equal names, equal days and missing values of all kinds.
const today = toDay(Date.now());
const records = [...sampleRecords({ today }), ...edgeCaseRecords({ today })];
const server = runServerForTests({ records, inProcess: true });

function getList(query: string): Promise<HttpResponse> {
  return send(server, `/api/v1/events${query}`);
}

async function list(query: string): Promise<MarqueeEvent[]> {
  return readEventList(await getList(query)).data;
}

function toIds(events: readonly MarqueeEvent[]): string[] {
  return events.map((event) => event.id);
}

const nameCollator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const compares = {
  startDate: (a: MarqueeEvent, b: MarqueeEvent) =>
    compareText(a.startDate, b.startDate) ||
    Number(a.startsAt !== null) - Number(b.startsAt !== null) ||
    Date.parse(a.startsAt ?? '1970-01-01') - Date.parse(b.startsAt ?? '1970-01-01'),
  announcedAt: (a: MarqueeEvent, b: MarqueeEvent) => compareText(a.announcedAt, b.announcedAt),
  name: (a: MarqueeEvent, b: MarqueeEvent) => nameCollator.compare(a.name, b.name),
} as const;

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

test('without parameters the list has every event, latest start first', async () => {
  expect(server.events.length).toBeGreaterThan(100);
  expect(new Set(toIds(server.events)).size).toBe(server.events.length);
  const expected = server.events.toSorted(
    (a, b) => compares.startDate(b, a) || compareText(a.id, b.id),
  );
  expect(toIds(server.events)).toEqual(toIds(expected));
  expect(toIds(await list('?sort=startDate&order=desc'))).toEqual(toIds(server.events));
});

for (const sort of ['startDate', 'announcedAt', 'name'] as const) {
  for (const order of ['asc', 'desc'] as const) {
    test(`sort=${sort}&order=${order} sorts the list, equal values by id`, async () => {
      const compare = compares[sort];
      const direction = order === 'asc' ? 1 : -1;
      const sorted = await list(`?sort=${sort}&order=${order}`);
      const expected = server.events.toSorted(
        (a, b) => direction * compare(a, b) || compareText(a.id, b.id),
      );
      expect(toIds(sorted)).toEqual(toIds(expected));
    });
  }
}

test('a status selects its events, and the three statuses select each event once', async () => {
  const parts = await Promise.all(
    (['upcoming', 'ongoing', 'ended'] as const).map(async (status) => {
      const events = await list(`?status=${status}`);
      expect(events.length).toBeGreaterThan(0);
      expect(events.every((event) => event.status === status)).toBe(true);
      return toIds(events);
    }),
  );
  expect(parts.flat().toSorted()).toEqual(toIds(server.events).toSorted());
});

test.each(['status=upcoming&status=ended', 'status=ended,upcoming', 'status=UPCOMING,Ended'])(
  '%s gives the same bytes as its canonical query',
  async (query) => {
    const expected = await getList('?status=upcoming,ended');
    const response = await getList(`?${query}`);
    const statuses = new Set(readEventList(response).data.map((event) => event.status));
    expect(statuses).toEqual(new Set(['upcoming', 'ended']));
    expect(response.body.equals(expected.body)).toBe(true);
  },
);

test('two responses from the same snapshot have the same bytes and generatedAt', async () => {
  const first = await getList('?limit=7');
  const { meta } = readEventList(first);
  expect(meta.count).toBe(7);
  expect(Math.abs(Date.now() - Date.parse(meta.generatedAt))).toBeLessThan(240_000);
  expect((await getList('?limit=7')).body.equals(first.body)).toBe(true);
  const other = readEventList(await getList('?limit=3'));
  expect(other.meta.generatedAt).toBe(meta.generatedAt);
});

test('the Link header names the feeds, the description and the documentation', async () => {
  const link = (await getList('?limit=1')).header('link');
  for (const relation of ['alternate', 'service-desc', 'service-doc', 'describedby']) {
    expect(link).toContain(`rel="${relation}"`);
  }
});
