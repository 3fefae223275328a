import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { AttachmentOrigin, ToPicture } from '#lib/events/model/schema.ts';
import { pictureUrl, type Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import { createSingleFlight } from '#lib/http/single-flight.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { FileStore, StoredFile } from '../store/file-store.ts';
import type { AttachmentFetcher, FetchFailure } from './fetch-attachment.ts';
import { chooseVariant, type PictureRequest, type Variant } from './picture-request.ts';
import {
  createOriginal,
  createVariant,
  type ImageFailure,
  type PictureFormat,
  parseOriginalName,
  type StoredOriginal,
  toOriginalName,
  toOriginalSize,
} from './process-image.ts';

/** Looks up where an attachment can be fetched now; undefined for an unknown id. */
export type FindOrigin = (id: string) => Promise<AttachmentOrigin | undefined>;

export type PictureResult =
  | Readonly<{ kind: 'picture'; format: PictureFormat; file: StoredFile }>
  /** The picture exists, but cannot be fetched or processed now. */
  | Readonly<{ kind: 'unavailable'; origin: AttachmentOrigin }>
  | Readonly<{ kind: 'unknown' }>;

/** The pictures of events: fetched once, stored, and served in several sizes and formats. */
export type Pictures = Readonly<{
  /** A picture that is in memory. */
  peek: (id: string, wanted: PictureRequest) => PictureResult | undefined;
  /** @throws what `findOrigin` throws; it is called only for pictures that are not stored. */
  load: (id: string, wanted: PictureRequest, findOrigin: FindOrigin) => Promise<PictureResult>;
  /** The stored original, from which all sizes are created; null where it is unavailable. */
  loadOriginal: (id: string, findOrigin: FindOrigin) => Promise<Uint8Array | null>;
  /** Whether it is neither stored nor being fetched, and has not failed lately. */
  isMissing: (id: string) => boolean;
  toPicture: ToPicture;
  /** Resolves when the stored pictures are known. */
  ready: Promise<void>;
}>;

type PicturesOptions = Readonly<{
  store: FileStore;
  fetcher: AttachmentFetcher;
  site: Site;
  log: Log;
  /** Unix time in ms. */
  now?: () => number;
  /** How long a request waits for a picture that has to be fetched. */
  waitMaxMs?: number;
}>;

/** Jobs that may wait for each queue; requests beyond that get the placeholder. */
const queuedMax = 500;

/** A picture that failed is not fetched again before this time. */
type Failure = Readonly<{ untilMs: number; isPermanent: boolean }>;

const failurePauseMs = 30_000;
/** For bytes that are unusable, which another fetch would not change. */
const permanentPauseMs = 60 * 60_000;
const permanentReasons: ReadonlySet<FetchFailure | ImageFailure> = new Set([
  'not_a_picture',
  'too_many_pixels',
  'broken',
  'too_large',
]);

export function createPictures(options: PicturesOptions): Pictures {
  const { store, fetcher, site, log, now = Date.now, waitMaxMs = 11_000 } = options;
  const originals = new Map<string, StoredOriginal>();
  const failures = new LRUCache<string, Failure>({ max: 20_000 });
  const originalFlights = createSingleFlight<StoredOriginal | null>();
  const variantFlights = createSingleFlight<StoredFile | null>();
  const processing = new PQueue({ concurrency: 2 });
  const fetching = new PQueue({ concurrency: 4 });

  const ready = findStoredOriginals();

  function findFailure(id: string): Failure | undefined {
    const failure = failures.get(id);
    return failure !== undefined && now() < failure.untilMs ? failure : undefined;
  }

  async function findStoredOriginals(): Promise<void> {
    for (const group of await store.listGroups()) findOriginalAmong(group, await store.list(group));
  }

  function findOriginalAmong(id: string, names: Iterable<string>): StoredOriginal | undefined {
    for (const name of names) {
      const original = parseOriginalName(name);
      if (original === null) continue;
      originals.set(id, original);
      return original;
    }
    return undefined;
  }

  async function findOriginal(id: string): Promise<StoredOriginal | undefined> {
    await ready;
    return originals.get(id) ?? findOriginalAmong(id, await store.list(id));
  }

  /** Returns null on failure, which is logged and cached. */
  function fetchOriginal(id: string, { url }: AttachmentOrigin): Promise<StoredOriginal | null> {
    return originalFlights.run(id, () =>
      enqueue(fetching, async () => {
        // Another process that shares the folder may have fetched it. Two that fetch at once do no harm.
        const stored = findOriginalAmong(id, await store.list(id));
        return stored ?? fetchNow(id, url);
      }),
    );
  }

  async function fetchNow(id: string, url: string): Promise<StoredOriginal | null> {
    const fetched = await fetcher.fetch(url);
    const result = fetched.ok
      ? await enqueue(processing, () => createOriginal(fetched.bytes))
      : fetched;
    channels.pictureFetched.publish({ outcome: result.ok ? 'ok' : result.reason });
    if (!result.ok) {
      const isPermanent = permanentReasons.has(result.reason);
      const pauseMs = isPermanent ? permanentPauseMs : failurePauseMs;
      failures.set(id, { untilMs: now() + pauseMs, isPermanent });
      log.warn({ attachment: id, reason: result.reason }, 'a picture is unavailable');
      return null;
    }
    failures.delete(id);
    const name = toOriginalName(result.original);
    await store.write({ group: id, name, skipMemory: true }, result.bytes);
    const original = { ...result.original, name };
    originals.set(id, original);
    return original;
  }

  /** Returns null where the original is gone from the store or damaged. */
  function loadVariant(
    id: string,
    original: StoredOriginal,
    variant: Variant,
  ): Promise<StoredFile | null> {
    return variantFlights.run(`${id}/${variant.name}`, async () => {
      const key = { group: id, name: variant.name };
      const stored = await store.read(key);
      if (stored !== null) return stored;
      const source = await readOriginal(id, original);
      const bytes = source && (await enqueue(processing, () => createVariant(source, variant)));
      if (bytes) return store.write(key, bytes);
      originals.delete(id);
      await store.remove({ group: id, name: original.name });
      return null;
    });
  }

  async function readOriginal(id: string, original: StoredOriginal): Promise<Uint8Array | null> {
    const file = await store.read({ group: id, name: original.name, skipMemory: true });
    if (file === null) originals.delete(id);
    return file?.bytes ?? null;
  }

  async function loadFromStore(
    id: string,
    wanted: PictureRequest,
  ): Promise<PictureResult | undefined> {
    const original = await findOriginal(id);
    if (original === undefined) return undefined;
    const variant = chooseVariant(original, wanted);
    const file = await loadVariant(id, original, variant);
    if (file === null) return undefined;
    return { kind: 'picture', format: variant.format, file };
  }

  async function loadFromUpstream(
    id: string,
    wanted: PictureRequest,
    origin: AttachmentOrigin,
  ): Promise<PictureResult | undefined> {
    if (originals.has(id)) return loadFromStore(id, wanted);
    if (findFailure(id)) return undefined;
    const original = await fetchOriginal(id, origin);
    return original === null ? undefined : loadFromStore(id, wanted);
  }

  async function load(
    id: string,
    wanted: PictureRequest,
    findOrigin: FindOrigin,
  ): Promise<PictureResult> {
    const stored = await unlessBusy(loadFromStore(id, wanted));
    if (stored !== undefined) return stored;
    const origin = await findOrigin(id);
    if (origin === undefined) return { kind: 'unknown' };
    const fetched = await withTimeout(unlessBusy(loadFromUpstream(id, wanted, origin)), waitMaxMs);
    return fetched ?? { kind: 'unavailable', origin };
  }

  async function loadOriginal(id: string, findOrigin: FindOrigin): Promise<Uint8Array | null> {
    const stored = await findOriginal(id);
    const bytes = stored && (await readOriginal(id, stored));
    if (bytes) return bytes;
    const origin = findFailure(id) ? undefined : await findOrigin(id);
    if (origin === undefined) return null;
    const fetched = await withTimeout(unlessBusy(fetchOriginal(id, origin)), waitMaxMs);
    return fetched ? readOriginal(id, fetched) : null;
  }

  return {
    ready,
    load,
    loadOriginal,
    peek(id, wanted) {
      const original = originals.get(id);
      if (original === undefined) return undefined;
      const { name, format } = chooseVariant(original, wanted);
      const file = store.peek({ group: id, name });
      return file && { kind: 'picture', format, file };
    },
    isMissing: (id) => !originals.has(id) && !originalFlights.isRunning(id) && !findFailure(id),
    toPicture(attachment) {
      const { id } = attachment;
      if (findFailure(id)?.isPermanent) return null;
      const original = originals.get(id);
      const thumbHash = original ? Buffer.from(original.thumbHash).toString('base64') : null;
      const { width, height } = original ?? toOriginalSize(attachment);
      return { id, url: pictureUrl(site, id), width, height, thumbHash };
    },
  };
}

class QueueFullError extends Error {}

async function enqueue<T>(queue: PQueue, work: () => Promise<T>): Promise<T> {
  if (queue.size >= queuedMax) throw new QueueFullError();
  return queue.add(work);
}

async function unlessBusy<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof QueueFullError) return undefined;
    throw error;
  }
}

// The work continues after the timeout, for the next request.
function withTimeout<T>(work: Promise<T>, timeMs: number): Promise<T | undefined> {
  work.catch(() => {});
  return Promise.race([work, sleep(timeMs, undefined, { ref: false })]);
}
