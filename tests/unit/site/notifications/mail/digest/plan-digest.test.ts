import { describe, expect, it } from 'vitest';
import { createRandom } from '#lib/demo/seeded-random.ts';
import { addDays } from '#lib/events/model/dates.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { createSnapshot, type EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import {
  findMove,
  type MailedFacts,
  toMailedFacts,
} from '#lib/site/notifications/mail/digest/mention-store.ts';
import {
  DigestPlanner,
  type DigestReader,
  findNextDigest,
  type MentionReason,
} from '#lib/site/notifications/mail/digest/plan-digest.ts';
import { makeDraft, makeDrafts } from '../../../../../support/factories/draft-factory.ts';
import { siteTime } from '../../../../../support/factories/site-time.ts';

/** `npm run digests` takes a thousand. */
const readerCount = process.env.MARQUEE_LONG_DIGESTS === undefined ? 10 : 1_000;

type Drafts = Parameters<typeof createSnapshot>[0];

const week = 7 * 86_400_000;
const monday = Date.parse('2026-06-01T08:00:00Z');

const read = (drafts: Drafts, at: number): Promise<EventsSnapshot> =>
  createSnapshot(drafts, {
    readAtMs: at,
    ...siteTime(new Date(at).toISOString()),
    yieldWhenDue: createTimeSlices(),
  });

const makeReader = (reader: Partial<DigestReader> = {}): DigestReader => ({
  filters: '',
  timeZone: 'UTC',
  since: monday - week,
  mentioned: new Map(),
  ...reader,
});

/** The digests of several weeks: what each mentions and why. */
async function plan(drafts: Drafts, weeks: number, reader = makeReader()) {
  const mentioned = new Map(reader.mentioned);
  const digests: string[][] = [];
  for (let index = 0; index < weeks; index += 1) {
    const now = monday + index * week;
    const snapshot = await read(drafts, now);
    const entries = new DigestPlanner(snapshot, now).plan({ ...reader, mentioned }, now + week);
    for (const { event, reasons } of entries) {
      mentioned.set(event.id, [...(mentioned.get(event.id) ?? []), ...reasons]);
    }
    digests.push(entries.map(({ event, reasons }) => `${event.name}: ${reasons.join(', ')}`));
  }
  return digests;
}

describe('DigestPlanner', () => {
  it('mentions an event when it is new, and in the last digest 28, 7 and 1 days before it', async () => {
    const jam = makeDraft({
      name: 'Jam',
      announcedAt: '2026-05-30T10:00:00.000Z',
      startDate: '2026-07-29',
      endDate: '2026-07-30',
    });
    const digests = await plan([jam], 11);
    expect(digests.flatMap((texts, index) => texts.map((text) => `${index} ${text}`))).toEqual([
      '0 Jam: new',
      '4 Jam: 28',
      '7 Jam: 7',
      '8 Jam: 1',
    ]);
  });

  it('selects once for all readers with the same filters and days', async () => {
    const snapshot = await read(
      makeDrafts(3, () => ({ startDate: '2026-06-08' })),
      monday,
    );
    let selections = 0;
    const counted = {
      ...snapshot,
      get sorted() {
        selections += 1;
        return snapshot.sorted;
      },
    };
    const planner = new DigestPlanner(counted, monday);
    const planFor = (reader: Partial<DigestReader>) =>
      planner.plan(makeReader(reader), monday + week).length;
    expect(planFor({})).toBe(3);
    expect(planFor({ timeZone: 'Europe/Brussels', since: 0 })).toBe(3);
    expect(selections).toBe(1);
    expect(planFor({ filters: '?q=unheard' })).toBe(0);
    expect(planFor({ timeZone: 'Pacific/Honolulu' })).toBe(3);
    expect(selections).toBe(3);
  });

  it('has several reasons for one mention', async () => {
    const soon = makeDraft({
      name: 'Soon',
      announcedAt: '2026-05-30T10:00:00.000Z',
      startDate: '2026-06-08',
      endDate: null,
    });
    expect(await plan([soon], 3)).toEqual([['Soon: new, 7, 1'], [], []]);
  });

  it('leaves out what was announced before, is over, is cancelled or matches no filter', async () => {
    const at = { announcedAt: '2026-05-30T10:00:00.000Z', startDate: '2026-09-01', endDate: null };
    const drafts = makeDrafts(5, (index) => ({
      ...at,
      ...[
        { announcedAt: '2026-01-01T00:00:00.000Z' },
        { startDate: '2026-05-30', endDate: '2026-05-31' },
        { state: 'cancelled' as const },
        { format: 'in-person' as const },
        { format: 'online' as const, name: 'Online' },
      ][index],
    }));
    const reader = makeReader({ filters: '?format=online' });
    expect(await plan(drafts, 1, reader)).toEqual([['Online: new']]);
  });

  it('mentions at most 40 events, the others a week later', async () => {
    const drafts = makeDrafts(50, (index) => ({
      announcedAt: '2026-05-30T10:00:00.000Z',
      startDate: addDays('2026-10-01', index),
      endDate: null,
    }));
    expect((await plan(drafts, 3)).map(({ length }) => length)).toEqual([40, 10, 0]);
  });

  it(`holds for 26 weeks, ${readerCount} subscribers and 200 events that come, move and are cancelled`, async () => {
    const random = createRandom(27);
    const begin = Date.parse('2026-01-05T00:00:00Z');
    const drafts = makeSeason(random, begin);
    const readers = Array.from({ length: readerCount }, () => makeSubscriber(random, begin));
    let mails = 0;
    let before = new Map<string, string>();
    for (let day = 0; day < 26 * 7; day += 1) {
      const at = begin + day * 86_400_000;
      const announced = drafts.map((draft) => draft(day)).filter((draft) => draft !== null);
      const snapshot = await read(announced, at);
      const changed = snapshot.events.filter((event) => before.get(event.id) !== toKey(event));
      before = new Map(snapshot.events.map((event) => [event.id, toKey(event)]));
      for (const reader of readers) {
        if (reader.stopsAt > day) mails += reader.live(snapshot, changed, at);
      }
    }
    const mentions = readers.flatMap(({ mentions: all }) => [...all.values()]);
    expect(mails).toBeGreaterThan(readerCount * 5);
    expect(mentions.length).toBeGreaterThan(readerCount * 10);
    expect(Math.max(...mentions)).toBe(4);
    expect(readers.reduce((sum, { cancellations }) => sum + cancellations, 0)).toBeGreaterThan(
      readerCount,
    );
    expect(readers.filter(({ toldTwice }) => toldTwice > 0)).toEqual([]);
    expect(readers.filter(({ twiceInOneMail }) => twiceInOneMail > 0)).toEqual([]);
  });
});

const toKey = ({ state, startDate }: MarqueeEvent) => `${state} ${startDate}`;

type Random = () => number;

/** 200 events, each as the table has it on a day of the season; null before its announcement. */
function makeSeason(random: Random, begin: number) {
  const dayOf = (day: number) => new Date(begin + day * 86_400_000).toISOString().slice(0, 10);
  return makeDrafts(200).map((draft) => {
    const announced = Math.floor(random() * 170) - 20;
    const start = announced + 1 + Math.floor(random() * 70);
    const fate = random();
    const changes = announced + Math.floor(random() * (start - announced));
    const announcedAt = new Date(begin + announced * 86_400_000 + 3_600_000).toISOString();
    return (day: number) => {
      if (day <= announced) return null;
      const isChanged = day >= changes;
      // Some flip between two states, at every read.
      const isCancelled = isChanged && (fate < 0.15 || (fate < 0.2 && day % 2 === 0));
      const isMoved = isChanged && fate > 0.8;
      return {
        ...draft,
        announcedAt,
        state: isCancelled ? ('cancelled' as const) : ('scheduled' as const),
        startDate: dayOf(isMoved ? start + 14 : start),
        endDate: dayOf(isMoved ? start + 15 : start + 1),
      };
    };
  });
}

function makeSubscriber(random: Random, begin: number) {
  const zones = ['UTC', 'Europe/Brussels', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata'];
  const time = {
    weekday: Math.floor(random() * 7),
    hour: Math.floor(random() * 24),
    timeZone: zones[Math.floor(random() * zones.length)] ?? 'UTC',
  };
  const filters = random() < 0.5 ? '' : '?projectType=CAD';
  const mentioned = new Map<string, readonly MentionReason[]>();
  const mailed = new Map<string, MailedFacts>();
  const isCancelled = new Set<string>();
  let digestAt = findNextDigest(time, begin);
  return {
    stopsAt: random() < 0.3 ? Math.floor(random() * 180) : Number.POSITIVE_INFINITY,
    /** How often digests mention each event. */
    mentions: new Map<string, number>(),
    cancellations: 0,
    /** Cancellations of events that were not mentioned as taking place since the last one. */
    toldTwice: 0,
    twiceInOneMail: 0,
    /** Does on a day what the server does: tells at once what has changed, and plans a digest that is due. */
    live(snapshot: EventsSnapshot, changed: readonly MarqueeEvent[], at: number): number {
      let mails = 0;
      for (const event of changed) {
        const before = mailed.get(event.id);
        const move = before === undefined ? null : findMove(before, event);
        if (move === null) continue;
        mailed.set(event.id, toMailedFacts(event));
        mails += 1;
        if (move !== 'cancelled') continue;
        this.cancellations += 1;
        if (isCancelled.has(event.id)) this.toldTwice += 1;
        isCancelled.add(event.id);
      }
      if (digestAt > at) return mails;
      const next = findNextDigest(time, at);
      const reader = { filters, timeZone: time.timeZone, since: begin, mentioned };
      const entries = new DigestPlanner(snapshot, at).plan(reader, next);
      digestAt = next;
      this.twiceInOneMail += entries.length - new Set(entries.map(({ event }) => event.id)).size;
      for (const { event, reasons } of entries) {
        mentioned.set(event.id, [...(mentioned.get(event.id) ?? []), ...reasons]);
        mailed.set(event.id, toMailedFacts(event));
        isCancelled.delete(event.id);
        this.mentions.set(event.id, (this.mentions.get(event.id) ?? 0) + 1);
      }
      return mails + (entries.length > 0 ? 1 : 0);
    },
  };
}

const next = (weekday: number, hour: number, timeZone: string, after: string) =>
  new Date(findNextDigest({ weekday, hour, timeZone }, Date.parse(after))).toISOString();

describe('findNextDigest', () => {
  it('is the next such hour in the zone of the reader', () => {
    expect(next(1, 8, 'Europe/Brussels', '2026-11-23T06:59:00Z')).toBe('2026-11-23T07:00:00.000Z');
    expect(next(1, 8, 'Europe/Brussels', '2026-11-23T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
    expect(next(0, 0, 'Pacific/Auckland', '2026-11-23T07:00:00Z')).toBe('2026-11-28T11:00:00.000Z');
    expect(next(3, 23, 'America/New_York', '2026-11-23T07:00:00Z')).toBe(
      '2026-11-26T04:00:00.000Z',
    );
  });

  it('is the next hour where a clock change skips it', () => {
    // On 29 March 2026, clocks in Brussels go from 2:00 to 3:00.
    expect(next(0, 2, 'Europe/Brussels', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next(0, 3, 'Europe/Brussels', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('is once where clocks show an hour twice', () => {
    expect(next(0, 2, 'Europe/Brussels', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
    expect(next(0, 2, 'Europe/Brussels', '2026-10-25T00:00:00Z')).toBe('2026-11-01T01:00:00.000Z');
  });

  it('comes once a week, for a year in every zone', () => {
    for (const timeZone of ['Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Tehran']) {
      let at = Date.parse('2026-01-01T00:00:00Z');
      for (let week = 0; week < 53; week += 1) {
        const after = findNextDigest({ weekday: 0, hour: 2, timeZone }, at);
        if (week > 0) expect(Math.abs(after - at - 7 * 86_400_000)).toBeLessThanOrEqual(3_600_000);
        at = after;
      }
    }
  });
});
