import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { type EventsSnapshot, findAttachment } from '#lib/events/source/snapshot.ts';
import { inDirectoryOrder } from '#lib/events/view/directory/sections.ts';
import { boundEntries } from '#lib/http/bound-entries.ts';
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
export function createWarmUp(options: WarmUpOptions): WarmUp {
  const work = new WarmUpWork(options);
  return {
    offer: (snapshot) => work.offer(snapshot),
    start: () => work.start(),
  };
}

class WarmUpWork {
  readonly #options: WarmUpOptions;
  readonly #sized = new LRUCache<string, true>(boundEntries(10_000));
  #newest: EventsSnapshot | null = null;
  #isStarted = false;
  #isRunning = false;
  #fetched = 0;

  constructor(options: WarmUpOptions) {
    this.#options = options;
  }

  offer(snapshot: EventsSnapshot): void {
    this.#newest = snapshot;
    this.#runUnlessRunning();
  }

  start(): void {
    this.#isStarted = true;
    this.#runUnlessRunning();
  }

  #runUnlessRunning(): void {
    if (!this.#isStarted || this.#isRunning || this.#newest === null) return;
    this.#isRunning = true;
    this.#run()
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'pictures cannot be prefetched'),
      )
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #run(): Promise<void> {
    const { pictures, log } = this.#options;
    await pictures.ready;
    this.#fetched = 0;
    for (let done: EventsSnapshot | null = null; done !== this.#newest; ) {
      done = this.#newest;
      if (done !== null) await this.#warmUp(inDirectoryOrder(done.events));
    }
    if (this.#fetched > 0) log.info({ pictures: this.#fetched }, 'pictures prefetched');
  }

  /** Sizes of the first events, then every original, whose URLs expire, then more sizes. */
  async #warmUp(events: readonly MarqueeEvent[]): Promise<void> {
    const yieldWhenDue = createTimeSlices();
    for (const shown of listPictures(events.slice(0, firstEvents))) {
      await this.#withPause(async () => {
        const isFetched = await this.#fetchIfMissing(shown);
        const isCreated = await this.#createSizes(shown);
        return isFetched || isCreated;
      });
    }
    for (const shown of listPictures(events.slice(firstEvents))) {
      await this.#withPause(() => this.#fetchIfMissing(shown));
      await yieldWhenDue();
    }
    for (const shown of listPictures(events.slice(firstEvents, nextEvents))) {
      await this.#withPause(() => this.#createSizes(shown));
    }
  }

  // From the newest snapshot: fetching a long table takes longer than its URLs are valid.
  readonly #findOrigin = async (id: string) =>
    this.#newest ? findAttachment(this.#newest, id) : undefined;

  async #fetchIfMissing({ id }: ShownPicture): Promise<boolean> {
    const { pictures } = this.#options;
    if (!pictures.isMissing(id)) return false;
    if ((await pictures.loadOriginal(id, this.#findOrigin)) !== null) this.#fetched++;
    return true;
  }

  async #createSizes({ id, kind }: ShownPicture): Promise<boolean> {
    const { pictures } = this.#options;
    if (this.#sized.has(id)) return false;
    let isCreated = false;
    for (const width of warmWidths[kind]) {
      if (pictures.isMissing(id)) return isCreated;
      const wanted = { ...warmFormat, width };
      if (pictures.peek(id, wanted) !== undefined) continue;
      const { kind: result } = await pictures.load(id, wanted, this.#findOrigin);
      if (result !== 'picture') return isCreated;
      isCreated = true;
    }
    this.#sized.set(id, true);
    return isCreated;
  }

  /** Pauses after `work`, if it did anything. */
  async #withPause(work: () => Promise<boolean>): Promise<void> {
    const { pauseMs = 250 } = this.#options;
    const startedAt = performance.now();
    if (!(await work())) return;
    await pause(Math.max(pauseMs, (performance.now() - startedAt) * pausesPerWork));
  }
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
