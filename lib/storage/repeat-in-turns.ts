import { setTimeout as delay } from 'node:timers/promises';

/** Does one part after the other while there are more. SQLite works on the event loop: requests get half of the time. */
export async function repeatInTurns(doPart: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    if (!(await doPart())) return;
    await delay(performance.now() - startedAt);
  }
}
