import { expect, test } from 'vitest';
import { noHistory } from '#lib/events/changes/history.ts';
import { type Attachment, type EventDraft, eventSchema } from '#lib/events/model/schema.ts';
import { sortKeys } from '#lib/events/query/events-query.ts';
import {
  atTime,
  type EventsSnapshot,
  findAttachment,
  findEvent,
  withHistory,
} from '#lib/events/source/snapshot.ts';
import { toPublished } from '#lib/events/view/events-json.ts';
import { makeDraft, makeDrafts, makeRecordId } from '../../../support/factories/draft-factory.ts';
import { makeEvent } from '../../../support/factories/event-factory.ts';
import { siteTime } from '../../../support/factories/site-time.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';
import { makeChange } from '../../../support/factories/webhook-factory.ts';

const readAtMs = Date.parse('2026-03-10T12:00:00.000Z');

const build = (drafts: readonly EventDraft[]) => makeSnapshot(drafts, '2026-03-10', { readAtMs });

test('a snapshot has the time of its read', async () => {
  const snapshot = await build([]);
  expect(snapshot).toMatchObject({
    readAtMs,
    generatedAt: '2026-03-10T12:00:00.000Z',
    changedAtMs: readAtMs,
    day: '2026-03-10',
    events: [],
  });
});

test('events are in the order of announcement, then of id, and their fields in the documented order', async () => {
  const announcedAt = '2026-01-01T00:00:00.000Z';
  const snapshot = await build([
    makeDraft({ id: 'recC', announcedAt: '2026-02-01T00:00:00.000Z' }),
    makeDraft({ id: 'recB', announcedAt }),
    makeDraft({ id: 'recA', announcedAt }),
  ]);
  expect(snapshot.events.map((event) => [event.id, event.slug])).toEqual([
    ['recA', 'lantern-jam'],
    ['recB', 'lantern-jam-2'],
    ['recC', 'lantern-jam-3'],
  ]);
  const [event = makeEvent()] = snapshot.events;
  const published = toPublished(event, snapshot.signedUrls);
  expect(Object.keys(published)).toEqual(Object.keys(eventSchema.shape));
});

test('events of one day are sorted by their start, those without a time first', async () => {
  const startsAt = {
    recA: '2026-03-01T09:00:00-05:00',
    recB: null,
    recC: '2026-03-01T10:00:00+01:00',
    recD: null,
    recE: '2026-03-01T14:00:00+00:00',
  };
  const drafts = Object.entries(startsAt).map(([id, at]) =>
    makeDraft({ id, startDate: '2026-03-01', startsAt: at }),
  );
  const { events, sorted } = await build([...drafts, makeDraft({ id: 'rec0' })]);
  const idsIn = (order: 'asc' | 'desc') =>
    [...sorted.startDate[order]].map((position) => events[position]?.id);
  expect(idsIn('asc')).toEqual(['recB', 'recD', 'recC', 'recA', 'recE', 'rec0']);
  expect(idsIn('desc')).toEqual(['rec0', 'recA', 'recE', 'recC', 'recB', 'recD']);
});

test('each sort key is sorted both ways, with ties by ascending id in both', async () => {
  const drafts = makeDrafts(600, (index) => ({
    id: makeRecordId((index * 7919) % 600),
    name: ['alpha', 'Älpha', 'Beta 10', 'beta 2'][index % 4] ?? '',
    startDate: `2026-0${1 + (index % 5)}-01`,
    announcedAt: `2026-0${1 + (index % 3)}-01T00:00:00.000Z`,
  }));
  const snapshot = await build(drafts);
  // Unknown prices come last both ways: see find-events.test.ts.
  for (const key of sortKeys.filter((key) => key !== 'price')) {
    const keyed = (position: number) => {
      const event = snapshot.events[position];
      if (event === undefined) throw new Error('a position without an event');
      return { value: key === 'name' ? rankOfName(event.name) : event[key], id: event.id };
    };
    for (const [order, sign] of [
      ['asc', 1],
      ['desc', -1],
    ] as const) {
      const sorted = [...snapshot.sorted[key][order]].map(keyed);
      expect(new Set(sorted.map((event) => event.id)).size).toBe(600);
      for (let index = 1; index < sorted.length; index++) {
        const [before, after] = [sorted[index - 1], sorted[index]];
        if (before === undefined || after === undefined) throw new Error('a gap');
        if (before.value === after.value) expect(before.id < after.id).toBe(true);
        else expect(before.value < after.value ? 1 : -1).toBe(sign);
      }
    }
  }
});

// Accents and case make no difference, and numbers count as numbers.
function rankOfName(name: string): number {
  if (/lpha/i.test(name)) return 0;
  return name.endsWith('10') ? 2 : 1;
}

test('an event is found by its id exactly, then by its slug in any case', async () => {
  const snapshot = await build([
    makeDraft({ id: 'recAbc', name: 'First' }),
    makeDraft({ id: 'recxyz', name: 'Recabc' }),
  ]);
  expect(findEvent(snapshot, 'recAbc')?.name).toBe('First');
  expect(findEvent(snapshot, 'FIRST')?.id).toBe('recAbc');
  expect(findEvent(snapshot, 'recabc')?.id).toBe('recxyz');
  expect(findEvent(snapshot, 'RECXYZ')).toBeUndefined();
  for (const none of ['', '__proto__', 'constructor', 'recab', '\0']) {
    expect(findEvent(snapshot, none)).toBeUndefined();
  }
});

/** A read of the table an hour after `before`. */
function readAgain(
  before: EventsSnapshot,
  drafts: readonly EventDraft[],
  options: Parameters<typeof makeSnapshot>[2] = {},
): Promise<EventsSnapshot> {
  const again = { readAtMs: readAtMs + 3_600_000, before, ...options };
  return makeSnapshot(drafts, '2026-03-10', again);
}

test('a read that found nothing new has the same version, and everything that was built for it', async () => {
  const before = await build(makeDrafts(20));
  const signedUrls = new Map([['recA', { logo: 'https://files.example/a', background: null }]]);
  // The upstream returns rows in any order.
  const after = await readAgain(before, makeDrafts(20).toReversed(), { signedUrls });
  expect(after).toMatchObject({
    version: before.version,
    changedAtMs: readAtMs,
    readAtMs: readAtMs + 3_600_000,
    generatedAt: '2026-03-10T13:00:00.000Z',
  });
  expect(after.events).toBe(before.events);
  expect(after.sorted).toBe(before.sorted);
  expect(after.signedUrls).toBe(signedUrls);
  expect((await build(makeDrafts(20))).version).toBe(before.version);
});

test('a changed cell, row, attachment or picture gives another version', async () => {
  const attachments = { logo: { id: 'attLogo1', width: 40, height: 30 }, background: null };
  const drafts = makeDrafts(3, () => ({ attachments }));
  const before = await build(drafts);
  const [first = makeDraft(), ...rest] = drafts;
  const resized = { ...attachments, logo: { id: 'attLogo1', width: 80, height: 60 } };
  const toPicture = ({ id, width, height }: Attachment) => {
    return { id, url: `https://x.example/${id}`, width, height, thumbHash: null };
  };
  const withPictures = await readAgain(before, drafts, { toPicture });
  const others = [
    withPictures,
    await readAgain(withPictures, drafts, {
      toPicture: (attachment) => ({ ...toPicture(attachment), thumbHash: 'abc' }),
    }),
    await readAgain(before, [{ ...first, name: 'Torch Jam' }, ...rest]),
    await readAgain(before, [{ ...first, attachments: resized }, ...rest]),
    await readAgain(before, rest),
    await readAgain(before, [...drafts, makeDraft({ id: 'recNew' })]),
    await readAgain(before, []),
  ];
  expect(new Set([before, ...others].map(({ version }) => version)).size).toBe(8);
  for (const other of others) {
    expect(other.changedAtMs).toBe(readAtMs + 3_600_000);
  }
  expect(withPictures.events[0]?.pictures.logo).toMatchObject({ id: 'attLogo1', width: 40 });
});

test('a new day gives the same version whether the day turned or the table was read again', async () => {
  const drafts = makeDrafts(3, () => ({ startDate: '2026-03-11' }));
  const before = await build(drafts);
  const changedAtMs = Date.parse('2026-03-11T00:00:00Z');
  const turned = atTime(before, siteTime('2026-03-11'));
  const read = await readAgain(before, drafts, siteTime('2026-03-11'));
  expect(turned.version).not.toBe(before.version);
  expect(read.version).toBe(turned.version);
  expect(read.events).toEqual(turned.events);
  const reread = await readAgain(turned, drafts, siteTime('2026-03-11'));
  expect(reread.changedAtMs).toBe(changedAtMs);
  expect(reread.events).toBe(turned.events);
});

test('on another day only statuses change', async () => {
  const snapshot = await build([makeDraft({ startDate: '2026-03-11', endDate: '2026-03-11' })]);
  const changedAtMs = Date.parse('2026-03-11T00:00:00Z');
  const turned = atTime(snapshot, siteTime('2026-03-11'));
  expect(snapshot.events[0]?.status).toBe('upcoming');
  expect(turned).toMatchObject({
    day: '2026-03-11',
    changedAtMs,
    readAtMs,
    generatedAt: snapshot.generatedAt,
  });
  expect(turned.events).toEqual([{ ...snapshot.events[0], status: 'ongoing' }]);
});

test('building ten thousand events yields to the event loop', async () => {
  const drafts = makeDrafts(10_000, (index) => ({
    name: `Événement ${(index * 7919) % 10_000} of the year`,
    description: 'Some words with ünïcödé in them. '.repeat(12),
  }));
  let turns = 0;
  let building = true;
  const count = () => {
    turns++;
    if (building) setImmediate(count);
  };
  setImmediate(count);
  const snapshot = await build(drafts);
  building = false;
  expect(snapshot.events).toHaveLength(10_000);
  expect(turns).toBeGreaterThan(10);
});

test('each attachment becomes a picture, and its signed URL is found by its id', async () => {
  const logo = { id: 'attLogo1', width: 40, height: 30 };
  const background = { id: 'attBack1', width: null, height: null };
  const snapshot = await makeSnapshot(
    [
      makeDraft({ id: 'recA', attachments: { logo, background } }),
      makeDraft({ id: 'recB', background: null }),
    ],
    '2026-03-10',
    {
      signedUrls: new Map([
        ['recA', { logo: 'https://files.example/logo', background: 'https://files.example/back' }],
      ]),
      toPicture: ({ id, width, height }) =>
        id === 'attBack1'
          ? null
          : { id, url: `https://x.example/${id}`, width, height, thumbHash: null },
    },
  );
  expect(snapshot.events.map(({ pictures }) => pictures)).toEqual([
    {
      logo: { ...logo, url: 'https://x.example/attLogo1', thumbHash: null },
      background: null,
    },
    { logo: null, background: null },
  ]);
  const color = '#102030';
  expect(['attLogo1', 'attBack1', 'attlogo1'].map((id) => findAttachment(snapshot, id))).toEqual([
    { url: 'https://files.example/logo', color, width: 40, height: 30 },
    { url: 'https://files.example/back', color, width: null, height: null },
    undefined,
  ]);
});

test('a history that is known later than the events changes the content, an equal one does not', async () => {
  const snapshot = { ...(await build([makeDraft()])), changedAtMs: 1, readAtMs: 9 };
  const { id } = makeDraft();
  const revise = (revision: number) =>
    withHistory(snapshot, { ...noHistory, revisions: new Map([[id, revision]]) }, 9);
  expect(revise(0).changedAtMs).toBe(1);
  expect([revise(2).changedAtMs, revise(2).history.revisions.get(id)]).toEqual([9, 2]);
  const recent = [{ change: makeChange(null, {}).change, day: '2026-03-10' }];
  expect(withHistory(snapshot, { ...noHistory, position: 7, recent }, 9).changedAtMs).toBe(9);
  // Of a status alone.
  expect(withHistory(snapshot, { ...noHistory, position: 7 }, 9).changedAtMs).toBe(1);
});
