import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type { AttachmentOrigin, ToPicture } from '#lib/events/model/schema.ts';
import { pictureUrl, type Site } from '#lib/events/view/site-urls.ts';
import type { Log } from '#lib/http/log.ts';
import type { FileStore, StoredFile } from '../store/file-store.ts';
import { createFailureMemory } from './failure-cache.ts';
import type { AttachmentFetcher } from './fetch-attachment.ts';
import type { WantedPicture } from './parse-picture-request.ts';
import { type PictureFormat, toMaster, toVariant } from './process-image.ts';
import { type KeptMaster, parseMasterName, toMasterName } from './stored-original.ts';
import { toMasterSize, toVariantOf, type Variant } from './variant.ts';

/** Where the bytes of an attachment are to be had now; undefined for an id that nobody knows. */
export type FindOrigin = (id: string) => Promise<AttachmentOrigin | undefined>;

export type PictureResult =
  | Readonly<{ kind: 'picture'; format: PictureFormat; file: StoredFile }>
  /** It exists, but cannot be had now. */
  | Readonly<{ kind: 'unavailable'; origin: AttachmentOrigin }>
  | Readonly<{ kind: 'unknown' }>;

/** Pictures of events: fetched once, kept, and served in a few sizes and formats. */
export type Pictures = Readonly<{
  /** A picture in one size and format, where it is at hand without waiting. */
  peek: (id: string, wanted: WantedPicture) => PictureResult | undefined;
  /** @throws what `findOrigin` throws, where the picture is not in the store. */
  load: (id: string, wanted: WantedPicture, findOrigin: FindOrigin) => Promise<PictureResult>;
  /** The picture that all sizes are made from; null where it cannot be had. */
  loadMaster: (id: string, findOrigin: FindOrigin) => Promise<Uint8Array | null>;
  /** Whether it would have to be fetched, and nothing speaks against trying. */
  isMissing: (id: string) => boolean;
  toPicture: ToPicture;
  /** Resolves once it is known what was kept. */
  ready: Promise<void>;
  /** The share of the store that is in use, 0 to 1. */
  fullness: () => number;
}>;

export type PicturesOptions = Readonly<{
  store: FileStore;
  fetcher: AttachmentFetcher;
  site: Site;
  log: Log;
  /** Unix time in ms. */
  now?: () => number;
  /** The longest that a caller waits for a picture that has to be fetched. */
  waitMaxMs?: number;
}>;

export function createPictures(options: PicturesOptions): Pictures {
  const { store, fetcher, site, log, now = Date.now, waitMaxMs = 11_000 } = options;
  const masters = new Map<string, KeptMaster>();
  const failures = createFailureMemory(now);
  const underWay = new Map<string, Promise<unknown>>();
  // Two cores' worth of pixels at most; whoever comes when the queue is full gets the colour.
  const decoding = bulkhead(2, 500);
  const fetching = bulkhead(4, 500);

  const ready = store.ready.then(() => {
    for (const [group, names] of store.groups()) noteMaster(group, names);
  });

  function noteMaster(id: string, names: Iterable<string>): KeptMaster | undefined {
    for (const name of names) {
      const master = parseMasterName(name);
      if (master === null) continue;
      masters.set(id, master);
      return master;
    }
    return undefined;
  }

  async function findMaster(id: string): Promise<KeptMaster | undefined> {
    await ready;
    return masters.get(id) ?? noteMaster(id, await store.list(id));
  }

  function once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = underWay.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  }

  /** Fetches a picture and keeps its master; null where that fails, which is logged and remembered. */
  function fetchMaster(id: string, { url }: AttachmentOrigin): Promise<KeptMaster | null> {
    return once(id, async () => {
      const fetched = await fetching.execute(() => fetcher.fetch(url));
      const made = fetched.ok ? await decoding.execute(() => toMaster(fetched.bytes)) : fetched;
      if (!made.ok) {
        failures.note(id, made.reason);
        log.warn({ attachment: id, reason: made.reason }, 'a picture could not be had');
        return null;
      }
      failures.forget(id);
      const name = toMasterName(made.master);
      await store.write({ group: id, name, isRare: true }, made.bytes);
      masters.set(id, { ...made.master, name });
      return { ...made.master, name };
    });
  }

  /** null where the store has lost the master, or holds a broken one. */
  function makeVariant(id: string, master: KeptMaster, file: Variant): Promise<StoredFile | null> {
    return once(`${id}/${file.name}`, async () => {
      const key = { group: id, name: file.name };
      const kept = await store.read(key);
      if (kept !== null) return kept;
      const source = await readMaster(id, master);
      const made = source && (await decoding.execute(() => toVariant(source, file)));
      if (made) return store.write(key, made);
      masters.delete(id);
      await store.remove({ group: id, name: master.name });
      return null;
    });
  }

  async function readMaster(id: string, master: KeptMaster): Promise<Uint8Array | null> {
    const file = await store.read({ group: id, name: master.name, isRare: true });
    if (file === null) masters.delete(id);
    return file?.bytes ?? null;
  }

  async function fromStore(id: string, wanted: WantedPicture): Promise<PictureResult | undefined> {
    const master = await findMaster(id);
    if (master === undefined) return undefined;
    const variant = toVariantOf(master, wanted);
    const file = await makeVariant(id, master, variant);
    if (file === null) return undefined;
    store.touch({ group: id, name: master.name });
    return { kind: 'picture', format: variant.format, file };
  }

  async function fromUpstream(
    id: string,
    wanted: WantedPicture,
    origin: AttachmentOrigin,
  ): Promise<PictureResult | undefined> {
    if (masters.has(id)) return fromStore(id, wanted);
    if (failures.has(id)) return undefined;
    const master = await fetchMaster(id, origin);
    return master === null ? undefined : fromStore(id, wanted);
  }

  async function load(
    id: string,
    wanted: WantedPicture,
    findOrigin: FindOrigin,
  ): Promise<PictureResult> {
    const kept = await unlessBusy(fromStore(id, wanted));
    if (kept !== undefined) return kept;
    const origin = await findOrigin(id);
    if (origin === undefined) return { kind: 'unknown' };
    const fetched = await withinTime(unlessBusy(fromUpstream(id, wanted, origin)), waitMaxMs);
    return fetched ?? { kind: 'unavailable', origin };
  }

  async function loadMaster(id: string, findOrigin: FindOrigin): Promise<Uint8Array | null> {
    const kept = await findMaster(id);
    const bytes = kept && (await readMaster(id, kept));
    if (bytes) return bytes;
    const origin = failures.has(id) ? undefined : await findOrigin(id);
    if (origin === undefined) return null;
    const fetched = await withinTime(unlessBusy(fetchMaster(id, origin)), waitMaxMs);
    return fetched ? readMaster(id, fetched) : null;
  }

  return {
    ready,
    load,
    loadMaster,
    peek(id, wanted) {
      const master = masters.get(id);
      if (master === undefined) return undefined;
      const { name, format } = toVariantOf(master, wanted);
      const file = store.peek({ group: id, name });
      if (file !== undefined) store.touch({ group: id, name: master.name });
      return file && { kind: 'picture', format, file };
    },
    isMissing: (id) => !masters.has(id) && !underWay.has(id) && !failures.has(id),
    toPicture(attachment) {
      const { id } = attachment;
      if (failures.isHopeless(id)) return null;
      const master = masters.get(id);
      const hash = master && Buffer.from(master.thumbHash).toString('base64');
      const size = master ?? toMasterSize(attachment);
      const { width, height } = size;
      return { id, url: pictureUrl(site, id), width, height, thumbHash: hash ?? null };
    },
    fullness: store.fullness,
  };
}

async function unlessBusy<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isBulkheadRejectedError(error)) return undefined;
    throw error;
  }
}

// The work goes on, for whoever comes next.
function withinTime<T>(work: Promise<T>, timeMs: number): Promise<T | undefined> {
  work.catch(() => {});
  return Promise.race([work, sleep(timeMs, undefined, { ref: false })]);
}
