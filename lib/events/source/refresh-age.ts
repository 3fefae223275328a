type Options = Readonly<{
  /** Age at which requests wait for a new snapshot, ms. */
  cacheMs: number;
  /** How long the last read of the table took, ms. */
  readMs: number;
}>;

/** Short reads begin earlier than they would have to. */
const leadMinShare = 1 / 20;

/** The age at which a snapshot is refreshed in the background, ms: early enough that nobody waits for it. */
export function toRefreshAge({ cacheMs, readMs }: Options): number {
  return Math.max(0, cacheMs - Math.max(1.5 * readMs, cacheMs * leadMinShare));
}
