import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LoopDelay, toDelayFile } from './loop-delay.ts';
import type { ServerProcess } from './servers/server-process.ts';

/** What a server whose turns are measured loads before its program. */
export const loopDelayPreload = resolve(import.meta.dirname, 'loop-delay.ts');

/** The longest turn of its event loop since the last call. */
export async function takeLoopDelay({ pid }: Pick<ServerProcess, 'pid'>): Promise<LoopDelay> {
  process.kill(pid, 'SIGUSR2');
  await delay(200);
  const file = toDelayFile(pid);
  const loopDelay: LoopDelay = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return loopDelay;
}
