export type FakeClock = Readonly<{
  /** Unix time in ms. */
  now: () => number;
  /** Advances the clock, or sets it back by a negative amount. */
  move: (byMs: number) => void;
  moveTo: (time: string) => void;
}>;

/** A clock that only `advance` moves. */
export function createFakeClock(start = '2026-03-10T12:00:00Z'): FakeClock {
  let time = Date.parse(start);
  return {
    now: () => time,
    move(byMs) {
      time += byMs;
    },
    moveTo(text) {
      time = Date.parse(text);
    },
  };
}
