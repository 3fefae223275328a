import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Heap and buffers of this process after a garbage collection, in bytes. */
export async function measureRetainedBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    collect();
    // Finalizers run in later ticks.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
