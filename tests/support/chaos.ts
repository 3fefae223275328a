export type Random = () => number;

export function pick<T>(random: Random, from: readonly T[]): T {
  const choice = from[Math.floor(random() * from.length)];
  if (choice === undefined) throw new RangeError('Nothing to pick from.');
  return choice;
}

/** A clock that runs from noon on, since budgets are reset at midnight. */
export function startNoonClock(): () => number {
  const noon = Date.parse('2026-03-10T12:00:00Z') - performance.now();
  return () => Math.floor(noon + performance.now());
}
