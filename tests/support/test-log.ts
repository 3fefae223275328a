import { inspect } from 'node:util';
import type { Log } from '#lib/http/log.ts';

export type LogLine = Readonly<{
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}>;

export type TestLog = Log & Readonly<{ lines: LogLine[]; text: () => string }>;

/** A log that keeps its lines for a test to look at. */
export function createTestLog(): TestLog {
  const lines: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return {
    lines,
    // As deep as any logger would print, causes and symbols and all.
    text: () => inspect(lines, { depth: 20, showHidden: true }),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
