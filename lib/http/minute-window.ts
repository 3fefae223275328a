/** The current second and the 59 before it: so a wait is never longer than 60 s. */
const seconds = 60;

/**
 * A sliding window: the requests of the last minute, counted by second. (A fixed window would allow twice
 * the limit around the turn of a minute.) Times are ms of a clock that never goes back.
 */
export type MinuteWindow = Readonly<{
  count: (now: number) => number;
  add: (now: number) => void;
  /** ms until fewer than `count` are left, without further requests. */
  untilBelow: (count: number, now: number) => number;
}>;

export function createMinuteWindow(): MinuteWindow {
  const counts = new Uint32Array(seconds);
  let last = 0;
  let total = 0;

  const at = (second: number): number => counts[second % seconds] ?? 0;

  function moveTo(now: number): void {
    const second = Math.floor(now / 1_000);
    const from = Math.max(last + 1, second - seconds + 1);
    for (let expired = from; expired <= second; expired += 1) {
      total -= at(expired);
      counts[expired % seconds] = 0;
    }
    last = second;
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
        if (left < count) return Math.ceil((second + seconds) * 1_000 - now);
      }
      return 0;
    },
  };
}
