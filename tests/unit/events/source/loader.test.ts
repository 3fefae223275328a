import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noHistory } from '#lib/events/changes/history.ts';
import { createTimeZone } from '#lib/events/model/zoned-time.ts';
import { createEventsLoader } from '#lib/events/source/loader.ts';
import { ageMaxMs, type EventsSource } from '#lib/events/source/source.ts';
import { createApiError } from '#lib/http/errors/errors.ts';
import { makeDraft } from '../../../support/factories/draft-factory.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { createTestLog } from '../../../support/test-log.ts';

const upstreamDown = () => createApiError('upstream_error', { message: 'No.', reason: 'timeout' });

const nothing = { drafts: [], signedUrls: new Map(), repairs: {} };

type LoaderOptions = Readonly<{
  zone?: string;
  start?: string;
  event?: Parameters<typeof makeDraft>[0];
  trackHistory?: Parameters<typeof createEventsLoader>[0]['trackHistory'];
}>;

/** A loader whose source gives one event, named after the number of the read. */
function makeLoader({
  zone = 'UTC',
  start = '2026-03-10T12:00:00Z',
  ...options
}: LoaderOptions = {}) {
  const { event = { startDate: '2026-03-11', endDate: '2026-03-11' }, trackHistory } = options;
  const clock = createFakeClock(start);
  const log = createTestLog();
  let reads = 0;
  const read = vi.fn<EventsSource['read']>(async () => {
    reads++;
    return { ...nothing, drafts: [makeDraft({ ...event, name: `Read ${reads}` })] };
  });
  const loader = createEventsLoader({
    source: { read },
    timeZone: createTimeZone(zone),
    now: clock.now,
    cacheSeconds: 240,
    log,
    countRowsRead: () => 12_300,
    waitMaxMs: 50,
    ...(trackHistory && { trackHistory }),
  });
  return { clock, log, read, loader };
}

/** Pauses the source's next read until `resolve` is called. */
function pauseNextRead(read: ReturnType<typeof makeLoader>['read']) {
  const paused = Promise.withResolvers<void>();
  const inner = read.getMockImplementation();
  read.mockImplementationOnce(async (wanted) => {
    await paused.promise;
    if (inner === undefined) throw new Error('no source');
    return inner(wanted);
  });
  return paused;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test('the first requests share one read', async () => {
  const { loader, read } = makeLoader();
  const snapshots = await Promise.all(Array.from({ length: 100 }, () => loader.current()));
  expect(new Set(snapshots).size).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a request does not wait for a long read: it is a 503 that says how far the read is', async () => {
  const { loader, read } = makeLoader();
  const paused = pauseNextRead(read);
  const loading = loader.load();
  await expect(loader.current()).rejects.toMatchObject({
    status: 503,
    code: 'events_not_read_yet',
    message: 'The events table is still being read: 12,300 rows so far.',
    headers: { 'Retry-After': '10' },
  });
  paused.resolve();
  expect(await loader.current()).toBe(await loading);
  expect(read).toHaveBeenCalledTimes(1);
});

test('while a refresh takes long, events that are not yet too old are served', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  pauseNextRead(read);
  clock.move(240_000);
  expect((await loader.current()).version).toBe(first.version);
  clock.move(60_000);
  await expect(loader.current()).rejects.toMatchObject({ status: 503 });
});

test('a fresh snapshot is returned without a read', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  clock.move(227_999);
  expect(await loader.current()).toBe(first);
  await settle();
  expect(read).toHaveBeenCalledTimes(1);
});

test('before its TTL ends a snapshot is refreshed in the background, once', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  clock.move(228_000);
  const paused = pauseNextRead(read);
  const served = await Promise.all(Array.from({ length: 50 }, () => loader.current()));
  expect(new Set(served)).toEqual(new Set([first]));
  paused.resolve();
  await settle();
  expect(read).toHaveBeenCalledTimes(2);
  expect((await loader.current()).events[0]?.name).toBe('Read 2');
});

test.for([
  [0, 228_000],
  [8_000, 228_000],
  [42_000, 177_000],
  [120_000, 60_000],
] as const)(
  'after a read of %i ms the next one begins when that is %i ms old',
  async ([durationMs, ageMs]) => {
    const { clock, loader, read } = makeLoader();
    read.mockResolvedValue({ ...nothing, durationMs });
    await loader.current();
    await settle();
    const calls = read.mock.calls.length;
    clock.move(ageMs - 1);
    loader.peek();
    expect(read).toHaveBeenCalledTimes(calls);
    clock.move(1);
    loader.peek();
    expect(read).toHaveBeenCalledTimes(calls + 1);
  },
);

test('an expired snapshot is not returned: requests wait for a new one', async () => {
  const { clock, loader, read } = makeLoader();
  await loader.current();
  clock.move(240_000);
  const names = await Promise.all(
    Array.from({ length: 50 }, async () => (await loader.current()).events[0]?.name),
  );
  expect(new Set(names)).toEqual(new Set(['Read 2']));
  expect(read).toHaveBeenCalledTimes(2);
});

test('if an expired snapshot cannot be refreshed, it is returned until it is five minutes old', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  clock.move(240_000);
  read.mockRejectedValue(upstreamDown());
  expect(await Promise.all([loader.current(), loader.current()])).toEqual([first, first]);
  expect(read).toHaveBeenCalledTimes(2);
  clock.move(59_999);
  expect(loader.peek()).toBe(first);
  await settle();
  clock.move(1);
  expect(loader.peek()).toBeNull();
  await expect(loader.current()).rejects.toMatchObject({ code: 'upstream_error' });
});

test('while refreshes fail, nobody waits for the next one', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  clock.move(240_000);
  read.mockRejectedValueOnce(upstreamDown());
  await loader.current();
  clock.move(5_000);
  const paused = pauseNextRead(read);
  expect(await loader.current()).toBe(first);
  paused.resolve();
  await settle();
  expect((await loader.current()).events[0]?.name).toBe('Read 2');
});

test('a failed background refresh is logged with its reason and retried after five seconds, and clients do not see it', async () => {
  const { clock, loader, log, read } = makeLoader();
  const first = await loader.current();
  clock.move(228_000);
  const cause = new Error('canary-cause');
  read.mockRejectedValueOnce(
    createApiError('upstream_error', { message: 'canary-message', reason: 'timeout', cause }),
  );
  expect(await loader.current()).toBe(first);
  await settle();
  expect(await loader.current()).toBe(first);
  await settle();
  expect(read).toHaveBeenCalledTimes(2);
  expect(log.lines.filter((line) => line.level === 'warn')).toMatchObject([
    { fields: { reason: 'timeout' } },
  ]);
  expect(log.text()).not.toContain('canary');
  clock.move(5_000);
  await loader.current();
  await settle();
  expect((await loader.current()).events[0]?.name).toBe('Read 2');
});

test('an unknown error is logged without its message', async () => {
  const { loader, log, read } = makeLoader();
  read.mockRejectedValueOnce(new TypeError('canary'));
  await expect(loader.current()).rejects.toThrow();
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { reason: 'unknown' } }]);
  expect(log.text()).not.toContain('canary');
});

test('requests for an expired snapshot join the read in progress', async () => {
  const { clock, loader, read } = makeLoader();
  await loader.current();
  clock.move(200_000);
  const paused = pauseNextRead(read);
  await loader.current();
  clock.move(60_000);
  const waiting = loader.current();
  paused.resolve();
  expect((await waiting).events[0]?.name).toBe('Read 2');
  expect(read).toHaveBeenCalledTimes(2);
});

test("a snapshot's age counts from the start of its read", async () => {
  const { clock, loader, read } = makeLoader();
  const paused = pauseNextRead(read);
  const reading = loader.current();
  const startedAt = clock.now();
  clock.move(20_000);
  paused.resolve();
  expect((await reading).readAtMs).toBe(startedAt);
});

test('a read during which the machine slept is done again', async () => {
  const { clock, loader, read } = makeLoader();
  const paused = pauseNextRead(read);
  const waiting = loader.current();
  await settle();
  clock.move(600_000);
  paused.resolve();
  expect((await waiting).readAtMs).toBe(clock.now());
  expect(read).toHaveBeenCalledTimes(2);
});

test('a clock that is set back leads to another read', async () => {
  const { clock, loader, read } = makeLoader();
  await loader.current();
  clock.move(-3_600_000);
  const snapshot = await loader.current();
  expect(read).toHaveBeenCalledTimes(2);
  expect(snapshot.readAtMs).toBe(clock.now());
});

test('a read from before the clock was set back is not used afterwards', async () => {
  const { clock, loader, read } = makeLoader();
  const paused = pauseNextRead(read);
  const early = loader.current();
  await settle();
  clock.move(-3_600_000);
  const late = loader.current();
  paused.resolve();
  await early.catch(() => null);
  expect((await late).readAtMs).toBeLessThanOrEqual(clock.now());
});

test('at midnight statuses change without a read', async () => {
  const { clock, loader, read } = makeLoader({ start: '2026-03-10T23:59:00Z' });
  const before = await loader.current();
  expect(before.events[0]?.status).toBe('upcoming');
  clock.move(60_000);
  const after = await loader.current();
  expect(after.events[0]?.status).toBe('ongoing');
  expect(after.day).toBe('2026-03-11');
  expect(after.generatedAt).toBe(before.generatedAt);
  expect(after.changedAtMs).toBe(Date.parse('2026-03-11T00:00:00Z'));
  expect(await loader.current()).toBe(after);
  expect(read).toHaveBeenCalledTimes(1);
});

/** A loader of an event from 18:30 to 21:00 in Brussels, whose history is tracked. */
async function startEvening(start: string) {
  const told: unknown[] = [];
  const made = makeLoader({
    start,
    event: {
      startDate: '2026-11-24',
      endDate: '2026-11-24',
      timeZone: 'Europe/Brussels',
      startsAt: '2026-11-24T18:30:00+01:00',
      endsAt: '2026-11-24T21:00:00+01:00',
    },
    trackHistory: async ({ events }) => {
      told.push(events[0]?.status);
      return { ...noHistory, position: told.length };
    },
  });
  return { ...made, told, first: await made.loader.current() };
}

test('an event begins and ends at its moments without a read, and its history is told of each once', async () => {
  const { clock, loader, read, told, first } = await startEvening('2026-11-24T17:28:00Z');
  expect(loader.freshSeconds(first)).toBe(119);
  clock.moveTo('2026-11-24T17:30:00Z');
  const after = await loader.current();
  expect(after.events[0]?.status).toBe('ongoing');
  expect(after.changedAtMs).toBe(Date.parse('2026-11-24T17:30:00Z'));
  expect(after.version).not.toBe(first.version);
  await settle();
  // Its new position alone makes no other content.
  expect(await loader.current()).toMatchObject({
    version: after.version,
    changedAtMs: after.changedAtMs,
    history: { position: 2 },
  });
  expect(loader.freshSeconds(first)).toBe(0);
  expect(told).toEqual(['upcoming', 'ongoing']);
  expect(read).toHaveBeenCalledTimes(1);
});

test('nobody has to visit for that, but events that are too old tell nothing', async () => {
  const { clock, loader, told } = await startEvening('2026-11-24T17:28:00Z');
  loader.followClock();
  clock.moveTo('2026-11-24T17:30:00Z');
  loader.followClock();
  await settle();
  expect(told).toEqual(['upcoming', 'ongoing']);
  clock.moveTo('2026-11-24T20:00:00Z');
  loader.followClock();
  await settle();
  expect(told).toEqual(['upcoming', 'ongoing']);
  expect((await loader.current()).events[0]?.status).toBe('ended');
  expect(told).toEqual(['upcoming', 'ongoing', 'ended']);
});

test('midnight is that of the time zone', async () => {
  const { clock, loader } = makeLoader({ zone: 'Asia/Tokyo', start: '2026-03-10T14:59:00Z' });
  expect((await loader.current()).events[0]?.status).toBe('upcoming');
  clock.move(60_000);
  expect((await loader.current()).events[0]?.status).toBe('ongoing');
});

test('a read over midnight has the statuses of the new day', async () => {
  const { clock, loader, read } = makeLoader({ start: '2026-03-10T23:59:59Z' });
  const paused = pauseNextRead(read);
  const reading = loader.current();
  await settle();
  clock.move(5_000);
  paused.resolve();
  const snapshot = await reading;
  expect([snapshot.day, snapshot.events[0]?.status]).toEqual(['2026-03-11', 'ongoing']);
});

test('all requests after midnight share one snapshot', async () => {
  const { clock, loader, read } = makeLoader({ start: '2026-03-10T23:59:59Z' });
  await loader.current();
  clock.move(1_000);
  const all = await Promise.all(Array.from({ length: 20 }, () => loader.current()));
  expect(new Set(all).size).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});

test('age and max-age together never pass 300 seconds, nor midnight, wherever the clock goes', async () => {
  for (const zone of ['UTC', 'America/Sao_Paulo', 'Pacific/Kiritimati', 'Asia/Kathmandu']) {
    const timeZone = createTimeZone(zone);
    const { clock, loader } = makeLoader({ zone, start: '2026-03-10T00:00:07.123Z' });
    for (let step = 0; step < 1500; step++) {
      const snapshot = await loader.current();
      const seconds = loader.freshSeconds(snapshot);
      expect(Number.isInteger(seconds) && seconds >= 0).toBe(true);
      const keptMs = seconds === 0 ? 0 : seconds * 1000 + 1000;
      expect(clock.now() - snapshot.readAtMs + keptMs).toBeLessThanOrEqual(ageMaxMs);
      expect(clock.now() + keptMs).toBeLessThanOrEqual(timeZone.dayEndsAt(clock.now()));
      expect(snapshot.day).toBe(timeZone.dayAt(clock.now()));
      clock.move(((step * 7919) % 97) * 1000 + 321);
    }
  }
});

test('the TTL ends a second before 300: nginx keeps a response for up to a second longer than its max-age', async () => {
  const { clock, loader } = makeLoader();
  const snapshot = await loader.current();
  expect(loader.freshSeconds(snapshot)).toBe(299);
  clock.move(240_000);
  expect(loader.freshSeconds(snapshot)).toBe(59);
  clock.move(60_000);
  expect(loader.freshSeconds(snapshot)).toBe(0);
  clock.move(1_000_000);
  expect(loader.freshSeconds(snapshot)).toBe(0);
});

test('the TTL never exceeds 300 seconds when the clock is set back', async () => {
  const { clock, loader } = makeLoader();
  const snapshot = await loader.current();
  clock.move(-3_600_000);
  expect(loader.freshSeconds(snapshot)).toBeLessThanOrEqual(300);
});

test('yesterday’s snapshot has a TTL of zero', async () => {
  const { clock, loader } = makeLoader({ start: '2026-03-10T23:59:59.990Z' });
  const snapshot = await loader.current();
  clock.move(20);
  expect(loader.freshSeconds(snapshot)).toBe(0);
});

test('an upstream that is down for ten minutes gets one read at a time, clients get nothing too old, and the first request afterwards succeeds', async () => {
  const rejections: unknown[] = [];
  const collect = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', collect);
  onTestFinished(() => void process.off('unhandledRejection', collect));
  const { clock, loader, log, read } = makeLoader();
  await loader.current();
  const sound = read.getMockImplementation();
  let underway = 0;
  let underwayMax = 0;
  read.mockImplementation(async () => {
    underwayMax = Math.max(underwayMax, ++underway);
    await nextTurn();
    underway--;
    throw upstreamDown();
  });
  let settled = 0;
  for (let second = 0; second < 600; second += 5) {
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => loader.current()));
    settled += results.length;
    for (const result of results) {
      if (result.status === 'fulfilled') {
        expect(clock.now() - result.value.readAtMs).toBeLessThan(300_000);
      } else {
        expect(second).toBeGreaterThanOrEqual(300);
        expect(result.reason).toMatchObject({ code: 'upstream_error' });
      }
    }
    clock.move(5_000);
  }
  await settle();
  expect(settled).toBe(200 * 120);
  expect([underwayMax, underway]).toEqual([1, 0]);
  // One read every five seconds: in the background from 228 s on, then for each wave of requests.
  expect(read.mock.calls.length).toBeLessThanOrEqual(1 + (600 - 228) / 5 + 1);
  expect(log.lines.filter((line) => line.level === 'warn')).toHaveLength(
    read.mock.calls.length - 1,
  );
  if (sound !== undefined) read.mockImplementation(sound);
  expect((await loader.current()).events[0]?.name).toBe('Read 2');
  expect(rejections).toEqual([]);
});

test('repairs are logged with each read, by reason', async () => {
  const { loader, log, read } = makeLoader();
  read.mockResolvedValueOnce({ ...nothing, repairs: { 'leftOut.no_name': 2 } });
  await loader.current();
  expect(log.lines).toMatchObject([{ level: 'info', fields: { events: 0, 'leftOut.no_name': 2 } }]);
});

test('the status has what the last read found, and the last failure with its reason', async () => {
  const { loader, clock, read } = makeLoader();
  expect(loader.status()).toEqual({ lastRead: null, lastFailure: null, isFailing: false });
  const start = clock.now();
  read.mockRejectedValueOnce(upstreamDown());
  await expect(loader.current()).rejects.toThrow();
  clock.move(1_000);
  await loader.current();
  expect(loader.status()).toEqual({
    lastRead: { readAtMs: start + 1_000, events: 1, repairs: {}, problems: [] },
    lastFailure: { atMs: start, reason: 'timeout' },
    isFailing: false,
  });
});

test('a stored read that was old at the start is served, and refreshed at once', async () => {
  const { clock, loader, read } = makeLoader();
  const stored = { ...nothing, drafts: [makeDraft({ name: 'Stored' })] };
  const { promise, resolve } = Promise.withResolvers<typeof stored>();
  read.mockResolvedValueOnce({ ...stored, readAtMs: clock.now() - 299_000 });
  read.mockReturnValueOnce(promise);
  expect((await loader.current()).events[0]?.name).toBe('Stored');
  expect(read.mock.calls).toEqual([[{ ageMaxMs }], [{ ageMaxMs: 228_000 }]]);
  resolve({ ...stored, drafts: [makeDraft({ name: 'Read' })] });
  expect((await loader.current()).events[0]?.name).toBe('Read');
  expect(read).toHaveBeenCalledTimes(2);
});

test('an older read does not replace a newer one', async () => {
  const { clock, loader, read } = makeLoader();
  const first = await loader.current();
  const drafts = [makeDraft({ name: 'Stored' })];
  read.mockResolvedValueOnce({ ...nothing, drafts, readAtMs: clock.now() - 1 });
  expect(await loader.refresh({ ageMaxMs })).toBe(first);
  expect(await loader.current()).toBe(first);
});
