/** Seconds that count: the one that is running, and all that may lie within 60 s before its end. */
const seconds = 61;

/**
 * Requests of the last minute, counted by second: never more than the limit in any 60 s, wherever
 * they begin. (A window that begins anew each minute lets through twice as many around its turn.)
 */
export type MinuteWindow = Readonly<{
  count: (now: number) => number;
  add: (now: number) => void;
  /** ms until no more than so many are left, if nothing more comes. */
  untilBelow: (count: number, now: number) => number;
}>;

export function createMinuteWindow(): MinuteWindow {
  const counts = new Uint32Array(seconds);
  let last = 0;
  let total = 0;

  const at = (second: number): number => counts[second % seconds] ?? 0;

  // A clock that is put back goes on from where it was.
  function moveTo(now: number): void {
    const second = Math.floor(now / 1_000);
    const from = Math.max(last + 1, second - seconds + 1);
    for (let passing = from; passing <= second; passing += 1) {
      total -= at(passing);
      counts[passing % seconds] = 0;
    }
    last = Math.max(last, second);
  }

  return {
    count(now) {
      moveTo(now);
      return total;
    },
    add(now) {
      moveTo(now);
      counts[last % seconds] = at(last) + 1;
      total += 1;
    },
    untilBelow(count, now) {
      moveTo(now);
      let left = total;
      for (let second = last - seconds + 1; second <= last; second += 1) {
        if (left < count) break;
        left -= at(second);
        if (left < count) return (second + seconds) * 1_000 - now;
      }
      return 0;
    },
  };
}
