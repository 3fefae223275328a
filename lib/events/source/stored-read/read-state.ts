/**
 * The last read of the table, and whose turn it is to read. Times are Unix ms by the database's clock, 0 for never:
 * those of instances may differ.
 */
export type ReadState = Readonly<{
  nowMs: number;
  /** When the table's hook was called last, and the call that the last read came after. */
  calledAtMs: number;
  servedCallAtMs: number;
  /** The number of the newest claim to read, and until when it lasts. */
  claims: number;
  claimedUntilMs: number;
  /** No read is due before that. */
  pausedUntilMs: number;
  /** Airtable responds to nobody before that. */
  blockedUntilMs: number;
  /** The claim that the last read was made under; 0 before the first. */
  number: number;
  /** When that read began: the data is at least that new. */
  readAtMs: number;
  /** The same by the clock of the process that read. */
  readerReadAtMs: number;
}>;

/** A claim lasts no longer, unless it is renewed. */
export const leaseMaxMs = 10_000;
/** At least so long between two reads that were due. */
export const pauseMs = 5_000;

export function isClaimed({ claimedUntilMs, nowMs }: ReadState): boolean {
  return isWithin(claimedUntilMs - nowMs, leaseMaxMs);
}

export function isPaused({ pausedUntilMs, nowMs }: ReadState): boolean {
  return isWithin(pausedUntilMs - nowMs, pauseMs);
}

/** A clock that was set back must not make a claim or a pause last for hours. */
function isWithin(leftMs: number, maxMs: number): boolean {
  return leftMs > 0 && leftMs <= maxMs;
}

/** Whether there is a read that is not older. */
export function hasRead({ number, nowMs, readAtMs }: ReadState, ageMaxMs: number): boolean {
  return number > 0 && nowMs >= readAtMs && nowMs - readAtMs < ageMaxMs;
}

/** As it is stored, before the first read. */
export const emptyRow = {
  called_at: 0,
  served_call_at: 0,
  claims: 0,
  claimed_until: 0,
  paused_until: 0,
  blocked_until: 0,
  number: 0,
  read_at: 0,
  reader_read_at: 0,
};

export type Row = typeof emptyRow;

export function toState(row: Row, nowMs: number): ReadState {
  return {
    nowMs,
    calledAtMs: row.called_at,
    servedCallAtMs: row.served_call_at,
    claims: row.claims,
    claimedUntilMs: row.claimed_until,
    pausedUntilMs: row.paused_until,
    blockedUntilMs: row.blocked_until,
    number: row.number,
    readAtMs: row.read_at,
    readerReadAtMs: row.reader_read_at,
  };
}
