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
import { createMachineSource, type MachineReads } from './machine-source.ts';
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
/** The longest wait for another process; after that this one reads for itself. */
const waitMaxMs = 30_000;
/** Clocks that differ by less than this count as equal, so that all instances report the same time of the read. */
const clockSkewMaxMs = 2_000;

/**
 * A source whose last read is stored in the database for all processes: one reads, and the others reuse its result. That
 * includes picture data, so that all have the same content version, bodies and ETags. While the database is away, one
 * process of each machine reads.
 */
export function createStoredSource(table: TableSource, options: StoredSourceOptions): StoredSource {
  const { store, now, signal, log, toPicture, leaseMs = leaseMaxMs } = options;
  const { machineReads = null } = options;
  let newestNumber = 0;
  /** Of the previous read. */
  let knownPictures: ReadonlyMap<string, Picture> = new Map();
  const storing = new Set<Promise<void>>();
  const readOnMachine = createMachineSource({ machineReads, readTable, now, track });

  async function read(wanted: WantedRead): Promise<EventsRead> {
    const deadline = performance.now() + waitMaxMs;
    while (performance.now() < deadline && !signal.aborted) {
      try {
        const found = await readInTurn(wanted);
        if (found !== null) return found;
      } catch (error) {
        if (!isStorageError(error)) throw error;
        break;
      }
      await delay(pollMs);
    }
    const found = await readOnMachine(wanted.ageMaxMs);
    knownPictures = found.pictures;
    return found;
  }

  /** Null: it is another process's turn. @throws StorageError */
  async function readInTurn({ ageMaxMs: wantedAgeMs, dueAfterClaim }: WantedRead) {
    const state = await waitForQuery(store.find());
    const isDue = dueAfterClaim !== undefined;
    // Another process has found the same to be due: what it reads will do, or what there is if it fails.
    const isOvertaken = isDue && dueAfterClaim !== state.claims;
    if (isOvertaken && isClaimed(state)) return null;
    if (hasRead(state, isOvertaken ? ageMaxMs : wantedAgeMs)) return load(state);
    if (isClaimed(state)) return null;
    const pausedUntilMs = isDue ? state.nowMs + pauseMs : state.pausedUntilMs;
    if (!(await waitForQuery(store.claim(state, { leaseMs, pausedUntilMs })))) return null;
    return readForAll({ ...state, claims: state.claims + 1 });
  }

  async function readTable(): Promise<CompleteRead> {
    const found = await table.read();
    const { drafts, rows = drafts.length, problems = [] } = found;
    const pictures = findPictures(drafts);
    knownPictures = pictures;
    return { ...found, rows, problems, pictures };
  }

  /** @param state with the claim of this process. */
  async function readForAll(state: ReadState): Promise<EventsRead> {
    const readAtMs = now();
    newestNumber = state.claims;
    const release = keepClaim(state.claims);
    try {
      const found = await readTable();
      // Visitors do not wait for that.
      track(storeRead(found, { state, readAtMs }).finally(release));
      return { ...found, readAtMs };
    } catch (error) {
      track(release());
      throw error;
    }
  }

  /** Renews a claim, whose end is then in the hands of this process. */
  function keepClaim(claim: number): () => Promise<void> {
    // A claim that cannot be renewed or released expires.
    const release = () => store.release(claim).catch(() => {});
    const stop = () => track(release());
    const renewal = setInterval(() => store.renew(claim, leaseMs).catch(() => {}), leaseMs / 3);
    renewal.unref();
    signal.addEventListener('abort', stop);
    return () => {
      clearInterval(renewal);
      signal.removeEventListener('abort', stop);
      return release();
    };
  }

  function track(work: Promise<void>): void {
    storing.add(work);
    void work.finally(() => storing.delete(work));
  }

  async function storeRead(
    found: CompleteRead,
    { state, readAtMs }: Readonly<{ state: ReadState; readAtMs: number }>,
  ): Promise<void> {
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
  async function load(state: ReadState): Promise<EventsRead | null> {
    const readAtMs = toLocalTime(state);
    try {
      const parts = await waitForQuery(store.findParts(state.number));
      const found = await parseRead(toLines(readParts(parts)));
      newestNumber = state.number;
      knownPictures = found.pictures;
      return { ...found, readAtMs };
    } catch (error) {
      if (isStorageError(error)) throw error;
    }
    if ((await waitForQuery(store.find())).number !== state.number) return null;
    newestNumber = state.number;
    log.warn({ number: state.number }, 'the stored read of the table is damaged: it is read again');
    return readTable();
  }

  async function* readParts(hashes: readonly string[]): AsyncGenerator<Buffer> {
    for (const hash of hashes) {
      const content = await waitForQuery(store.readPart(hash));
      if (content === null) throw new Error('A part is missing.');
      yield await unpack(hash, content).catch(async (error) => {
        await waitForQuery(store.deleteParts());
        throw error;
      });
    }
  }

  function toLocalTime({ nowMs, readAtMs, readerReadAtMs }: ReadState): number {
    const localMs = now() - (nowMs - readAtMs);
    const doClocksAgree = Math.abs(readerReadAtMs - localMs) <= clockSkewMaxMs;
    return Math.min(doClocksAgree ? readerReadAtMs : localMs, now());
  }

  function findPictures(drafts: EventsRead['drafts']): Map<string, Picture> {
    const pictures = new Map<string, Picture>();
    for (const { attachments } of drafts) {
      for (const attachment of [attachments.logo, attachments.background]) {
        const picture = attachment && findPicture(attachment);
        if (picture !== null) pictures.set(picture.id, picture);
      }
    }
    return pictures;
  }

  function findPicture(attachment: Attachment): Picture | null {
    const picture = toPicture(attachment);
    // Another instance may have fetched what this one has not.
    return picture?.thumbHash === null ? (knownPictures.get(attachment.id) ?? picture) : picture;
  }

  return {
    read,
    newestNumber: () => newestNumber,
    async close() {
      await Promise.all(storing);
    },
  };
}
