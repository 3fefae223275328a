import type { RepairReason } from '../problem-reasons.ts';

/** A cell as it was read. */
export type Cell = Readonly<{
  raw: unknown;
  /** Reports that the cell had to be repaired. @param value by default as it was read */
  repaired: (reason: RepairReason, value?: unknown) => null;
}>;
