import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#lib/config/config.ts';

export type MovedClock = Readonly<{
  /** For a process that is to have this clock. */
  settings: Environment;
  /** It goes on from there. What measures durations does not jump. */
  moveTo: (time: string) => void;
  now: () => number;
}>;

/** The clock of other processes, as their operating system tells it. */
export function createMovedClock(folder: string, start: string): MovedClock {
  const file = join(folder, 'clock');
  let aheadMs = 0;
  const moveTo = (time: string) => {
    aheadMs = Date.parse(time) - Date.now();
    writeFileSync(file, `${aheadMs < 0 ? '' : '+'}${(aheadMs / 1000).toFixed(3)}`);
  };
  moveTo(start);
  return {
    settings: {
      LD_PRELOAD: globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').join(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    moveTo,
    now: () => Date.now() + aheadMs,
  };
}
