import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { AttachmentOrigin, ToPicture } from '#lib/events/model/schema.ts';
import { pictureUrl, type Site } from '#lib/events/view/site-urls.ts';
import { boundEntries } from '#lib/http/bound-entries.ts';
import type { Log } from '#lib/http/log.ts';
import { createSingleFlight } from '#lib/http/single-flight.ts';
import { channels } from '#lib/telemetry/channels.ts';
import type { FileStore, StoredFile } from '../store/file-store.ts';
import type { AttachmentFetcher, FetchFailure } from './fetch-attachment.ts';
import { enqueue, unlessBusy, waitAtMost } from './picture-jobs.ts';
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
  return new StoredPictures(options);
}

class StoredPictures implements Pictures {
  readonly ready: Promise<void>;
  readonly #options: Required<PicturesOptions>;
  readonly #originals = new Map<string, StoredOriginal>();
  readonly #failures = new LRUCache<string, Failure>(boundEntries(20_000));
  readonly #originalFlights = createSingleFlight<StoredOriginal | null>();
  readonly #variantFlights = createSingleFlight<StoredFile | null>();
  readonly #processing = new PQueue({ concurrency: 2 });
  readonly #fetching = new PQueue({ concurrency: 4 });

  constructor(options: PicturesOptions) {
    this.#options = { now: Date.now, waitMaxMs: 11_000, ...options };
    this.ready = this.#findStoredOriginals();
  }

  peek(id: string, wanted: PictureRequest): PictureResult | undefined {
    const original = this.#originals.get(id);
    if (original === undefined) return undefined;
    const { name, format } = chooseVariant(original, wanted);
    const file = this.#options.store.peek({ group: id, name });
    return file && { kind: 'picture', format, file };
  }

  async load(id: string, wanted: PictureRequest, findOrigin: FindOrigin): Promise<PictureResult> {
    const stored = await unlessBusy(this.#loadFromStore(id, wanted));
    if (stored !== undefined) return stored;
    const origin = await findOrigin(id);
    if (origin === undefined) return { kind: 'unknown' };
    const fetched = await waitAtMost(
      unlessBusy(this.#loadFromUpstream(id, wanted, origin)),
      this.#options.waitMaxMs,
    );
    return fetched ?? { kind: 'unavailable', origin };
  }

  async loadOriginal(id: string, findOrigin: FindOrigin): Promise<Uint8Array | null> {
    const stored = await this.#findOriginal(id);
    const bytes = stored && (await this.#readOriginal(id, stored));
    if (bytes) return bytes;
    const origin = this.#findFailure(id) ? undefined : await findOrigin(id);
    if (origin === undefined) return null;
    const fetched = await waitAtMost(
      unlessBusy(this.#fetchOriginal(id, origin)),
      this.#options.waitMaxMs,
    );
    return fetched ? this.#readOriginal(id, fetched) : null;
  }

  isMissing(id: string): boolean {
    return (
      !this.#originals.has(id) && !this.#originalFlights.isRunning(id) && !this.#findFailure(id)
    );
  }

  readonly toPicture: ToPicture = (attachment) => {
    const { id } = attachment;
    if (this.#findFailure(id)?.isPermanent) return null;
    const original = this.#originals.get(id);
    const thumbHash = original ? Buffer.from(original.thumbHash).toString('base64') : null;
    const { width, height } = original ?? toOriginalSize(attachment);
    return { id, url: pictureUrl(this.#options.site, id), width, height, thumbHash };
  };

  #findFailure(id: string): Failure | undefined {
    const failure = this.#failures.get(id);
    return failure !== undefined && this.#options.now() < failure.untilMs ? failure : undefined;
  }

  async #findStoredOriginals(): Promise<void> {
    for (const group of await this.#options.store.listGroups())
      this.#findOriginalAmong(group, await this.#options.store.list(group));
  }

  #findOriginalAmong(id: string, names: Iterable<string>): StoredOriginal | undefined {
    for (const name of names) {
      const original = parseOriginalName(name);
      if (original === null) continue;
      this.#originals.set(id, original);
      return original;
    }
    return undefined;
  }

  async #findOriginal(id: string): Promise<StoredOriginal | undefined> {
    await this.ready;
    return (
      this.#originals.get(id) ?? this.#findOriginalAmong(id, await this.#options.store.list(id))
    );
  }

  /** Returns null on failure, which is logged and cached. */
  #fetchOriginal(id: string, { url }: AttachmentOrigin): Promise<StoredOriginal | null> {
    return this.#originalFlights.run(id, () =>
      enqueue(this.#fetching, async () => {
        // Another process that shares the folder may have fetched it. Two that fetch at once do no harm.
        const stored = this.#findOriginalAmong(id, await this.#options.store.list(id));
        return stored ?? this.#fetchNow(id, url);
      }),
    );
  }

  async #fetchNow(id: string, url: string): Promise<StoredOriginal | null> {
    const fetched = await this.#options.fetcher.fetch(url);
    const result = fetched.ok
      ? await enqueue(this.#processing, () => createOriginal(fetched.bytes))
      : fetched;
    channels.pictureFetched.publish({ outcome: result.ok ? 'ok' : result.reason });
    if (!result.ok) {
      const isPermanent = permanentReasons.has(result.reason);
      const pauseMs = isPermanent ? permanentPauseMs : failurePauseMs;
      this.#failures.set(id, { untilMs: this.#options.now() + pauseMs, isPermanent });
      this.#options.log.warn({ attachment: id, reason: result.reason }, 'a picture is unavailable');
      return null;
    }
    this.#failures.delete(id);
    const name = toOriginalName(result.original);
    await this.#options.store.write({ group: id, name, skipMemory: true }, result.bytes);
    const original = { ...result.original, name };
    this.#originals.set(id, original);
    return original;
  }

  /** Returns null where the original is gone from the store or damaged. */
  #loadVariant(id: string, original: StoredOriginal, variant: Variant): Promise<StoredFile | null> {
    return this.#variantFlights.run(`${id}/${variant.name}`, async () => {
      const key = { group: id, name: variant.name };
      const stored = await this.#options.store.read(key);
      if (stored !== null) return stored;
      const source = await this.#readOriginal(id, original);
      const bytes =
        source && (await enqueue(this.#processing, () => createVariant(source, variant)));
      if (bytes) return this.#options.store.write(key, bytes);
      this.#originals.delete(id);
      await this.#options.store.remove({ group: id, name: original.name });
      return null;
    });
  }

  async #readOriginal(id: string, original: StoredOriginal): Promise<Uint8Array | null> {
    const file = await this.#options.store.read({
      group: id,
      name: original.name,
      skipMemory: true,
    });
    if (file === null) this.#originals.delete(id);
    return file?.bytes ?? null;
  }

  async #loadFromStore(id: string, wanted: PictureRequest): Promise<PictureResult | undefined> {
    const original = await this.#findOriginal(id);
    if (original === undefined) return undefined;
    const variant = chooseVariant(original, wanted);
    const file = await this.#loadVariant(id, original, variant);
    if (file === null) return undefined;
    return { kind: 'picture', format: variant.format, file };
  }

  async #loadFromUpstream(
    id: string,
    wanted: PictureRequest,
    origin: AttachmentOrigin,
  ): Promise<PictureResult | undefined> {
    if (this.#originals.has(id)) return this.#loadFromStore(id, wanted);
    if (this.#findFailure(id)) return undefined;
    const original = await this.#fetchOriginal(id, origin);
    return original === null ? undefined : this.#loadFromStore(id, wanted);
  }
}
