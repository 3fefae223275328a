import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** What this process keeps in memory once all that nobody needs is gone: heap and buffers, in bytes. */
export async function measureRetainedBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    collect();
    // Finalizers run in turns of their own.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
