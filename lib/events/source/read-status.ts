import type { ProblemGroup } from './airtable/problem-groups.ts';
import { ageMaxMs, type EventsRead } from './source.ts';

/** What the last reads of the table found. Times are Unix ms. */
export type ReadStatus = Readonly<{
  lastRead: Readonly<{
    readAtMs: number;
    events: number;
    /** How many rows were left out and cells repaired, by reason. */
    repairs: EventsRead['repairs'];
    problems: readonly ProblemGroup[];
  }> | null;
  lastFailure: Readonly<{ atMs: number; reason: string }> | null;
  /** Whether the latest read failed. */
  isFailing: boolean;
}>;

/** Why the table cannot be read at the moment, for operators; null if the last read succeeded. */
export function describeReadFailure({
  lastRead,
  lastFailure,
  isFailing,
}: ReadStatus): string | null {
  if (!isFailing || lastFailure === null) return null;
  if (lastRead === null) return lastFailure.reason;
  const until = new Date(lastRead.readAtMs + ageMaxMs).toISOString();
  return `${lastFailure.reason}; the last events are served until ${until}`;
}
