import { inspect } from 'node:util';
import type { Log } from '#lib/http/log.ts';

export type LogLine = Readonly<{
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}>;

export type TestLog = Log & Readonly<{ lines: LogLine[]; text: () => string }>;

/** A log in memory. */
export function createTestLog(): TestLog {
  const lines: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    // As deep as any logger prints, with causes and symbols.
    text: () => inspect(lines, { depth: 20, showHidden: true }),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
