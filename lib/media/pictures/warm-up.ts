import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsSnapshot, findAttachment } from '#lib/events/store/snapshot.ts';
import { createTimeSlices } from '#lib/events/store/time-slices.ts';
import { toSections } from '#lib/events/view/sections.ts';
import type { Log } from '#lib/http/log.ts';
import type { Pictures } from './pictures.ts';

/**
 * Fetches pictures before anyone asks, so that they are there when their signed addresses are dead, and
 * makes the sizes of those that visitors see first, so that the first of them need not wait for it.
 */
export type WarmUp = Readonly<{
  /** Tells of a new snapshot. */
  offer: (snapshot: EventsSnapshot) => void;
  /** Nothing is fetched before: a process that answers one request and ends has no use for it. */
  start: () => void;
}>;

export type WarmUpOptions = Readonly<{
  pictures: Pictures;
  log: Log;
  /** Shortest pause after each picture. */
  pauseMs?: number;
}>;

/** Past this share the store would drop pictures that somebody asked for, for some that nobody did. */
const fullnessMax = 0.75;
/** Share of its time that the event loop may be busy: above, visitors come first. */
const busyMax = 0.5;
/** How many times as long as the work each pause is: a quarter of one core at most. */
const pausesPerWork = 3;

/** Events whose pictures are in view before anyone scrolls, and those that a visitor who does sees next. */
const firstEvents = 12;
const nextEvents = 60;

/** What phones and desks of today ask for: their widths of a poster and of a logo, in the format they like best. */
const aheadWidths = { background: [960, 640, 1280], logo: [320, 160] } as const;
const aheadFormat = { format: 'avif', isNegotiated: true } as const;

type Shown = Readonly<{ id: string; kind: keyof typeof aheadWidths }>;

/** One picture at a time, those of events that are on first. Holds up neither requests nor the process's end. */
export function createWarmUp({ pictures, log, pauseMs = 250 }: WarmUpOptions): WarmUp {
  let newest: EventsSnapshot | null = null;
  let isStarted = false;
  let isRunning = false;
  let fetched = 0;
  // What was made once is in the store; what it has dropped since is made again when somebody asks.
  const sized = new LRUCache<string, true>({ max: 10_000 });

  async function run(): Promise<void> {
    await pictures.ready;
    const yieldWhenDue = createTimeSlices();
    fetched = 0;
    for (let walked: EventsSnapshot | null = null; walked !== newest; ) {
      walked = newest;
      const events = walked === null ? [] : toShownOrder(walked);
      // Sizes of what is seen first, then everything that could be lost, then more sizes.
      for (const shown of listPictures(events.slice(0, firstEvents))) {
        await atLeisure(async () => {
          const isFetched = await fetchUnlessThere(shown);
          const isMade = await makeSizes(shown);
          return isFetched || isMade;
        });
      }
      for (const shown of listPictures(events.slice(firstEvents))) {
        await atLeisure(() => fetchUnlessThere(shown));
        await yieldWhenDue();
      }
      for (const shown of listPictures(events.slice(firstEvents, nextEvents))) {
        await atLeisure(() => makeSizes(shown));
      }
    }
    if (fetched > 0) log.info({ pictures: fetched }, 'pictures fetched ahead of need');
  }

  // By the newest address: a long table takes longer than an address lives.
  const findOrigin = async (id: string) => (newest ? findAttachment(newest, id) : undefined);

  async function fetchUnlessThere({ id }: Shown): Promise<boolean> {
    if (pictures.fullness() > fullnessMax || !pictures.isMissing(id)) return false;
    if ((await pictures.loadMaster(id, findOrigin)) !== null) fetched++;
    return true;
  }

  async function makeSizes({ id, kind }: Shown): Promise<boolean> {
    if (sized.has(id)) return false;
    let isMade = false;
    for (const width of aheadWidths[kind]) {
      if (pictures.fullness() > fullnessMax || pictures.isMissing(id)) return isMade;
      const wanted = { ...aheadFormat, width };
      if (pictures.peek(id, wanted) !== undefined) continue;
      const { kind: result } = await pictures.load(id, wanted, findOrigin);
      if (result !== 'picture') return isMade;
      isMade = true;
    }
    sized.set(id, true);
    return isMade;
  }

  /** Rests after work, where there was any. */
  async function atLeisure(work: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    if (!(await work())) return;
    await rest(Math.max(pauseMs, (performance.now() - startedAt) * pausesPerWork));
  }

  function runUnlessRunning(): void {
    if (!isStarted || isRunning || newest === null) return;
    isRunning = true;
    run()
      .catch((error: unknown) => log.error({ err: error }, 'pictures cannot be fetched ahead'))
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

// As they hang on the wall.
function toShownOrder({ events }: EventsSnapshot): MarqueeEvent[] {
  const { onNow, comingUp, openEnded, past } = toSections(events);
  return [...onNow, ...comingUp, ...openEnded, ...past];
}

function* listPictures(events: readonly MarqueeEvent[]): Generator<Shown> {
  for (const { pictures } of events) {
    if (pictures.background !== null) yield { id: pictures.background.id, kind: 'background' };
    if (pictures.logo !== null) yield { id: pictures.logo.id, kind: 'logo' };
  }
}

async function rest(timeMs: number): Promise<void> {
  let before = performance.eventLoopUtilization();
  await sleep(timeMs, undefined, { ref: false });
  while (performance.eventLoopUtilization(before).utilization > busyMax) {
    before = performance.eventLoopUtilization();
    await sleep(1000, undefined, { ref: false });
  }
}
