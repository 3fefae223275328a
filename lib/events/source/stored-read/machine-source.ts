import { pack, toLines, toParts, unpack } from './parts.ts';
import { type CompleteRead, parseRead, writeRead } from './read-lines.ts';

/** A read as the workers of a machine hand it on: its parts in their order, and when it began, Unix ms. */
export type PackedRead = Readonly<{
  readAtMs: number;
  parts: readonly Readonly<{ hash: string; content: Uint8Array }>[];
}>;

/** What the workers of a machine share while the database is away. */
export type MachineReads = Readonly<{
  /** The last read if it is not older, or one that is under way; null: this worker has to read. */
  find: (ageMaxMs: number) => Promise<PackedRead | null>;
  /** Hands a read to the other workers; null: it has failed, and each reads for itself. */
  publish: (read: PackedRead | null) => void;
}>;

type MachineSourceOptions = Readonly<{
  /** Null: this process is the only one. */
  machineReads: MachineReads | null;
  readTable: () => Promise<CompleteRead>;
  now: () => number;
  /** Called with what goes on after a read. */
  track: (work: Promise<void>) => void;
}>;

export type MachineSource = (
  ageMaxMs: number,
) => Promise<CompleteRead & Readonly<{ readAtMs: number }>>;

/** Reads the table without the database: one worker reads, and the others get its result. */
export function createMachineSource(options: MachineSourceOptions): MachineSource {
  const { machineReads, readTable, now, track } = options;
  return async (ageMaxMs) => {
    // One of another version cannot be read.
    const shared = await findShared(machineReads, ageMaxMs).catch(() => null);
    if (shared !== null) return shared;
    const readAtMs = now();
    try {
      const found = await readTable();
      // Visitors do not wait for that.
      if (machineReads !== null) track(share(machineReads, found, readAtMs));
      return { ...found, readAtMs };
    } catch (error) {
      machineReads?.publish(null);
      throw error;
    }
  };
}

async function findShared(machineReads: MachineReads | null, ageMaxMs: number) {
  const packed = (await machineReads?.find(ageMaxMs)) ?? null;
  if (packed === null) return null;
  const { readAtMs, parts } = packed;
  return { ...(await parseRead(toLines(unpackAll(parts)))), readAtMs };
}

async function* unpackAll(parts: PackedRead['parts']): AsyncGenerator<Buffer> {
  for (const { hash, content } of parts) yield await unpack(hash, content);
}

async function share(
  machineReads: MachineReads,
  found: CompleteRead,
  readAtMs: number,
): Promise<void> {
  const parts = [];
  for await (const part of toParts(writeRead(found))) {
    parts.push({ hash: part.hash, content: await pack(part) });
  }
  machineReads.publish({ readAtMs, parts });
}
