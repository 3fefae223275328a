import { pino } from 'pino';
import type { Log } from '#lib/http/log.ts';
import { createGroupedLog } from './grouped-log.ts';

type LogSettings = Readonly<{ logLevel: string; workers: number }>;

/** The log of this process: JSON lines on stdout, which say whose they are where several processes write there. */
export function createLog({ logLevel: level, workers }: LogSettings): Log {
  return createGroupedLog(pino({ base: workers > 1 ? { pid: process.pid } : null, level }));
}
