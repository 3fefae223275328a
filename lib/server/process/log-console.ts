import { format, stripVTControlCharacters } from 'node:util';
import type { Log } from '#lib/http/log.ts';

/** What Next prints becomes lines of the log, which is JSON. */
export function logConsole(log: Log): void {
  const toText = (values: readonly unknown[]) => stripVTControlCharacters(format(...values)).trim();
  const from = { source: 'next' };
  console.log = (...values) => log.info(from, toText(values));
  console.info = console.log;
  console.warn = (...values) => log.warn({ ...from, problem: toText(values) }, 'a warning of Next');
  console.error = (...values) =>
    log.error({ ...from, problem: toText(values) }, 'an error of Next');
}
