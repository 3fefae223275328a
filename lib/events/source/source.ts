import type { EventDraft, Picture, SignedUrlsById } from '../model/schema.ts';
import type { ProblemGroup } from './airtable/problem-groups.ts';

/** No client sees older events than this, HTTP caches included. */
export const ageMaxMs = 300_000;

/** Which read will do, if there is one that is stored. */
export type WantedRead = Readonly<{
  ageMaxMs: number;
  /** Of a read that is due: the newest claim when that was found. If there is another one, what was read for it will do. */
  dueAfterClaim?: number;
}>;

/** The table itself. */
export type TableSource = Readonly<{
  /**
   * Reads all events as of one moment.
   * @throws HttpError `upstream_error` if they could not be read, `server_misconfigured` if credentials are missing.
   */
  read: () => Promise<EventsRead>;
}>;

/** Where the loader reads events from. */
export type EventsSource = Readonly<{
  /** Reads the table, or what was stored of it. @throws what the table's `read` throws. */
  read: (wanted: WantedRead) => Promise<EventsRead>;
}>;

/** Why a read has failed: the reason of an error of ours, or the code of the database's. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('reason' in error) return String(error.reason);
  return 'code' in error ? String(error.code) : 'unknown';
}

export type EventsRead = Readonly<{
  drafts: readonly EventDraft[];
  /** Of the table, those that were left out included. Default: all are events. */
  rows?: number;
  signedUrls: SignedUrlsById;
  /** How many rows were left out and cells repaired, by reason. */
  repairs: Readonly<Record<string, number>>;
  /** The same by column and reason, with some of their rows. Default: none. */
  problems?: readonly ProblemGroup[];
  /** What the process that read them knew of pictures, by attachment id; absent if the loader looks it up. */
  pictures?: ReadonlyMap<string, Picture>;
  /** When they were read, Unix ms; absent if they have just been read. */
  readAtMs?: number;
  /** How long the table took, ms; absent if the loader measures it. */
  durationMs?: number;
}>;
