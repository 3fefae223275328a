import { type Finding, ok, warning } from './finding.ts';

const differenceMaxSeconds = 5;
const timeoutMs = 5_000;

/** Compares this machine's clock with the Date of a server: ages, days and expiries depend on it. */
export async function examineClock(url: string, now: () => number): Promise<Finding> {
  const name = 'clock';
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  await response?.body?.cancel();
  const serverTime = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(serverTime)) return { name, ...ok('not compared: no server sent the time') };
  // Date has whole seconds.
  const seconds = Math.round((now() - serverTime - 500) / 1000);
  const { host } = new URL(url);
  if (Math.abs(seconds) <= differenceMaxSeconds) return { name, ...ok(`agrees with ${host}`) };
  const way = seconds > 0 ? 'ahead of' : 'behind';
  return {
    name,
    ...warning(`${Math.abs(seconds)} s ${way} that of ${host}: synchronize it (NTP).`),
  };
}
