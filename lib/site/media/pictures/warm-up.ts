import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsSnapshot, findAttachment } from '#lib/events/source/snapshot.ts';
import { inDirectoryOrder } from '#lib/events/view/directory/sections.ts';
import type { Log } from '#lib/http/log.ts';
import { createTimeSlices } from '#lib/http/time-slices.ts';
import type { Pictures } from './pictures.ts';

/**
 * Fetches pictures before they are requested, since their signed URLs expire, and creates the sizes that
 * visitors see first.
 */
export type WarmUp = Readonly<{
  /** Sets the events to work on. */
  offer: (snapshot: EventsSnapshot) => void;
  /** Nothing is fetched before this call: a short-lived process does not need it. */
  start: () => void;
}>;

type WarmUpOptions = Readonly<{
  pictures: Pictures;
  log: Log;
  /** Shortest pause after each picture, in ms. */
  pauseMs?: number;
}>;

/** Above this event loop utilization it waits: visitors come first. */
const utilizationMax = 0.5;
/** Length of each pause relative to the work before it: this leaves at most a quarter of one core. */
const pausesPerWork = 3;

/** The events above the fold, and those that follow. */
const firstEvents = 12;
const nextEvents = 60;

/** What current phones and desktops request: widths of posters and logos, in their preferred format. */
const warmWidths = { background: [960, 640, 1280], logo: [320, 160] } as const;
const warmFormat = { format: 'avif', isNegotiated: true } as const;

type ShownPicture = Readonly<{ id: string; kind: keyof typeof warmWidths }>;

/** Works on one picture at a time, current events first. Its timers do not keep the process alive. */
export function createWarmUp({ pictures, log, pauseMs = 250 }: WarmUpOptions): WarmUp {
  let newest: EventsSnapshot | null = null;
  let isStarted = false;
  let isRunning = false;
  let fetched = 0;
  const sized = new LRUCache<string, true>({ max: 10_000 });

  async function run(): Promise<void> {
    await pictures.ready;
    const yieldWhenDue = createTimeSlices();
    fetched = 0;
    for (let done: EventsSnapshot | null = null; done !== newest; ) {
      done = newest;
      const events = done === null ? [] : inDirectoryOrder(done.events);
      // Sizes of the first events, then every original, whose URLs expire, then more sizes.
      for (const shown of listPictures(events.slice(0, firstEvents))) {
        await withPause(async () => {
          const isFetched = await fetchIfMissing(shown);
          const isCreated = await createSizes(shown);
          return isFetched || isCreated;
        });
      }
      for (const shown of listPictures(events.slice(firstEvents))) {
        await withPause(() => fetchIfMissing(shown));
        await yieldWhenDue();
      }
      for (const shown of listPictures(events.slice(firstEvents, nextEvents))) {
        await withPause(() => createSizes(shown));
      }
    }
    if (fetched > 0) log.info({ pictures: fetched }, 'pictures prefetched');
  }

  // From the newest snapshot: fetching a long table takes longer than its URLs are valid.
  const findOrigin = async (id: string) => (newest ? findAttachment(newest, id) : undefined);

  async function fetchIfMissing({ id }: ShownPicture): Promise<boolean> {
    if (!pictures.isMissing(id)) return false;
    if ((await pictures.loadOriginal(id, findOrigin)) !== null) fetched++;
    return true;
  }

  async function createSizes({ id, kind }: ShownPicture): Promise<boolean> {
    if (sized.has(id)) return false;
    let isCreated = false;
    for (const width of warmWidths[kind]) {
      if (pictures.isMissing(id)) return isCreated;
      const wanted = { ...warmFormat, width };
      if (pictures.peek(id, wanted) !== undefined) continue;
      const { kind: result } = await pictures.load(id, wanted, findOrigin);
      if (result !== 'picture') return isCreated;
      isCreated = true;
    }
    sized.set(id, true);
    return isCreated;
  }

  /** Pauses after `work`, if it did anything. */
  async function withPause(work: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    if (!(await work())) return;
    await pause(Math.max(pauseMs, (performance.now() - startedAt) * pausesPerWork));
  }

  function runUnlessRunning(): void {
    if (!isStarted || isRunning || newest === null) return;
    isRunning = true;
    run()
      .catch((error: unknown) => log.error({ err: error }, 'pictures cannot be prefetched'))
      .finally(() => {
        isRunning = false;
      });
  }

  return {
    offer(snapshot) {
      newest = snapshot;
      runUnlessRunning();
    },
    start() {
      isStarted = true;
      runUnlessRunning();
    },
  };
}

function* listPictures(events: readonly MarqueeEvent[]): Generator<ShownPicture> {
  for (const { pictures } of events) {
    if (pictures.background !== null) yield { id: pictures.background.id, kind: 'background' };
    if (pictures.logo !== null) yield { id: pictures.logo.id, kind: 'logo' };
  }
}

async function pause(timeMs: number): Promise<void> {
  let before = performance.eventLoopUtilization();
  await sleep(timeMs, undefined, { ref: false });
  while (performance.eventLoopUtilization(before).utilization > utilizationMax) {
    before = performance.eventLoopUtilization();
    await sleep(1000, undefined, { ref: false });
  }
}
