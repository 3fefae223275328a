import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPace } from '#lib/events/pacer.ts';
import type { EventStatus } from '#lib/events/schema.ts';
import type { EventsSnapshot } from '#lib/events/snapshot.ts';
import type { Log } from '#lib/http/log.ts';
import type { Pictures } from './pictures.ts';

/** Fetches pictures before anyone asks, so that they are there when their signed addresses are dead. */
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

const statusOrder: readonly EventStatus[] = ['ongoing', 'upcoming', 'ended'];

/** One picture at a time, those of events that are on first. Holds up neither requests nor the process's end. */
export function createWarmUp({ pictures, log, pauseMs = 250 }: WarmUpOptions): WarmUp {
  let newest: EventsSnapshot | null = null;
  let isStarted = false;
  let isRunning = false;

  async function run(): Promise<void> {
    await pictures.ready;
    const pace = createPace();
    let done = 0;
    for (let walked: EventsSnapshot | null = null; walked !== newest; ) {
      walked = newest;
      for (const id of walked === null ? [] : idsInOrder(walked)) {
        if (pictures.fullness() > fullnessMax) break;
        if (pictures.isMissing(id) && (await fetchOne(id))) done++;
        await pace();
      }
    }
    if (done > 0) log.info({ pictures: done }, 'pictures fetched ahead of need');
  }

  // By the newest address: a long table takes longer than an address lives.
  async function fetchOne(id: string): Promise<boolean> {
    const startedAt = performance.now();
    const bytes = await pictures.loadMaster(id, async () => newest?.attachments.get(id));
    await rest(Math.max(pauseMs, (performance.now() - startedAt) * pausesPerWork));
    return bytes !== null;
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

function* idsInOrder({ events }: EventsSnapshot): Generator<string> {
  for (const status of statusOrder) {
    for (const event of events) {
      if (event.status !== status) continue;
      const { background, logo } = event.pictures;
      if (background !== null) yield background.id;
      if (logo !== null) yield logo.id;
    }
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
