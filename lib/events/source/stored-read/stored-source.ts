import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/http/log.ts';
import { isStorageError, toLogFields } from '#lib/storage/storage-error.ts';
import { waitForQuery } from '#lib/storage/wait-for-database.ts';
import type { Attachment, Picture, ToPicture } from '../../model/schema.ts';
import {
  ageMaxMs,
  type EventsRead,
  type EventsSource,
  type TableSource,
  type WantedRead,
} from '../source.ts';
import { createMachineSource, type MachineReads, type MachineSource } from './machine-source.ts';
import { pack, toLines, toParts, unpack } from './parts.ts';
import { type CompleteRead, parseRead, writeRead } from './read-lines.ts';
import { hasRead, isClaimed, leaseMaxMs, pauseMs, type ReadState } from './read-state.ts';
import type { ReadStore } from './read-store.ts';

export type StoredSource = EventsSource &
  Readonly<{
    /** The number of the newest read that this process has; 0 before the first. */
    newestNumber: () => number;
    /** Finishes what is being stored. */
    close: () => Promise<void>;
  }>;

type StoredSourceOptions = Readonly<{
  store: ReadStore;
  /** Unix time in ms. */
  now: () => number;
  /** Aborted when the process has been told to stop: another one may read at once. */
  signal: AbortSignal;
  log: Log;
  toPicture: ToPicture;
  /** Default: this process is the only one of its machine. */
  machineReads?: MachineReads | null;
  /** How long others wait for a process that was killed or frozen while it read, ms. */
  leaseMs?: number;
}>;

const pollMs = 50;
/** The longest wait for another process, longer than the longest read; after that this one reads for itself. */
const waitMaxMs = 150_000;
/** Clocks that differ by less than this count as equal, so that all instances report the same time of the read. */
const clockSkewMaxMs = 2_000;

/**
 * A source whose last read is stored in the database for all processes: one reads, and the others reuse its result. That
 * includes picture data, so that all have the same content version, bodies and ETags. While the database is away, one
 * process of each machine reads.
 */
export function createStoredSource(table: TableSource, options: StoredSourceOptions): StoredSource {
  const reader = new StoredReader(table, options);
  return {
    read: (wanted) => reader.read(wanted),
    newestNumber: () => reader.newestNumber,
    close: () => reader.close(),
  };
}

class StoredReader {
  newestNumber = 0;
  readonly #table: TableSource;
  readonly #options: StoredSourceOptions;
  readonly #readOnMachine: MachineSource;
  /** Of the previous read. */
  #knownPictures: ReadonlyMap<string, Picture> = new Map();
  readonly #storing = new Set<Promise<void>>();

  constructor(table: TableSource, options: StoredSourceOptions) {
    this.#table = table;
    this.#options = options;
    this.#readOnMachine = createMachineSource({
      machineReads: options.machineReads ?? null,
      readTable: () => this.#readTable(),
      now: options.now,
      track: (work) => this.#track(work),
    });
  }

  async read(wanted: WantedRead): Promise<EventsRead> {
    const deadline = performance.now() + waitMaxMs;
    while (performance.now() < deadline && !this.#options.signal.aborted) {
      try {
        const found = await this.#readInTurn(wanted);
        if (found !== null) return found;
      } catch (error) {
        if (!isStorageError(error)) throw error;
        break;
      }
      await delay(pollMs);
    }
    const found = await this.#readOnMachine(wanted.ageMaxMs);
    this.#knownPictures = found.pictures;
    return found;
  }

  async close(): Promise<void> {
    await Promise.all(this.#storing);
  }

  /** Null: it is another process's turn. @throws StorageError */
  async #readInTurn({ ageMaxMs: wantedAgeMs, dueAfterClaim }: WantedRead) {
    const { store } = this.#options;
    const state = await waitForQuery(store.find());
    const isDue = dueAfterClaim !== undefined;
    // Another process has found the same to be due: what it reads will do, or what there is if it fails.
    const isOvertaken = isDue && dueAfterClaim !== state.claims;
    if (isOvertaken && isClaimed(state)) return null;
    if (hasRead(state, isOvertaken ? ageMaxMs : wantedAgeMs)) return this.#load(state);
    // On a busy machine, a lease may expire while a large read is stored: a newer claim would make that useless.
    if (isClaimed(state) || this.#storing.size > 0) return null;
    const pausedUntilMs = isDue ? state.nowMs + pauseMs : state.pausedUntilMs;
    const claim = { leaseMs: this.#leaseMs, pausedUntilMs };
    if (!(await waitForQuery(store.claim(state, claim)))) return null;
    return this.#readForAll({ ...state, claims: state.claims + 1 });
  }

  async #readTable(): Promise<CompleteRead> {
    const startedAt = performance.now();
    const found = await this.#table.read();
    // In whole seconds: the part that says it is mostly the same as before.
    const durationMs = Math.ceil((performance.now() - startedAt) / 1000) * 1000;
    const { drafts, rows = drafts.length, problems = [] } = found;
    const pictures = this.#findPictures(drafts);
    this.#knownPictures = pictures;
    return { ...found, rows, problems, durationMs, pictures };
  }

  /** @param state with the claim of this process. */
  async #readForAll(state: ReadState): Promise<EventsRead> {
    const readAtMs = this.#options.now();
    this.newestNumber = state.claims;
    const release = this.#keepClaim(state.claims);
    try {
      const found = await this.#readTable();
      // Visitors do not wait for that.
      this.#track(this.#storeRead(found, { state, readAtMs }).finally(release));
      return { ...found, readAtMs };
    } catch (error) {
      this.#track(release());
      throw error;
    }
  }

  /** Renews a claim, whose end is then in the hands of this process. */
  #keepClaim(claim: number): () => Promise<void> {
    const { store, signal } = this.#options;
    const leaseMs = this.#leaseMs;
    // A claim that cannot be renewed or released expires.
    const release = () => store.release(claim).catch(() => {});
    const stop = () => this.#track(release());
    const renewal = setInterval(() => store.renew(claim, leaseMs).catch(() => {}), leaseMs / 3);
    renewal.unref();
    signal.addEventListener('abort', stop);
    return () => {
      clearInterval(renewal);
      signal.removeEventListener('abort', stop);
      return release();
    };
  }

  #track(work: Promise<void>): void {
    this.#storing.add(work);
    void work.finally(() => this.#storing.delete(work));
  }

  async #storeRead(
    found: CompleteRead,
    { state, readAtMs }: Readonly<{ state: ReadState; readAtMs: number }>,
  ): Promise<void> {
    const { store, log } = this.#options;
    try {
      const stored = await store.listParts();
      const parts: string[] = [];
      for await (const part of toParts(writeRead(found))) {
        parts.push(part.hash);
        if (!stored.has(part.hash)) await store.writePart(part.hash, await pack(part));
      }
      await store.publish(state.claims, {
        parts,
        readAtMs: state.nowMs,
        readerReadAtMs: readAtMs,
        servedCallAtMs: state.calledAtMs,
      });
    } catch (error) {
      log.warn(toLogFields(error), 'the read of the table could not be stored');
    }
  }

  /** Null: another read has replaced it meanwhile. */
  async #load(state: ReadState): Promise<EventsRead | null> {
    const { store, log, now } = this.#options;
    const readAtMs = toLocalTime(state, now());
    try {
      const parts = await waitForQuery(store.findParts(state.number));
      const found = await parseRead(toLines(readParts(store, parts)));
      this.newestNumber = state.number;
      this.#knownPictures = found.pictures;
      return { ...found, readAtMs };
    } catch (error) {
      if (isStorageError(error)) throw error;
    }
    if ((await waitForQuery(store.find())).number !== state.number) return null;
    this.newestNumber = state.number;
    log.warn({ number: state.number }, 'the stored read of the table is damaged: it is read again');
    return this.#readTable();
  }

  get #leaseMs(): number {
    return this.#options.leaseMs ?? leaseMaxMs;
  }

  #findPictures(drafts: EventsRead['drafts']): Map<string, Picture> {
    const pictures = new Map<string, Picture>();
    for (const { attachments } of drafts) {
      for (const attachment of [attachments.logo, attachments.background]) {
        const picture = attachment && this.#findPicture(attachment);
        if (picture !== null) pictures.set(picture.id, picture);
      }
    }
    return pictures;
  }

  #findPicture(attachment: Attachment): Picture | null {
    const picture = this.#options.toPicture(attachment);
    // Another instance may have fetched what this one has not.
    return picture?.thumbHash === null
      ? (this.#knownPictures.get(attachment.id) ?? picture)
      : picture;
  }
}

async function* readParts(store: ReadStore, hashes: readonly string[]): AsyncGenerator<Buffer> {
  for (const hash of hashes) {
    const content = await waitForQuery(store.readPart(hash));
    if (content === null) throw new Error('A part is missing.');
    yield await unpack(hash, content).catch(async (error) => {
      await waitForQuery(store.deleteParts());
      throw error;
    });
  }
}

function toLocalTime({ nowMs, readAtMs, readerReadAtMs }: ReadState, clockMs: number): number {
  const localMs = clockMs - (nowMs - readAtMs);
  const doClocksAgree = Math.abs(readerReadAtMs - localMs) <= clockSkewMaxMs;
  return Math.min(doClocksAgree ? readerReadAtMs : localMs, clockMs);
}
