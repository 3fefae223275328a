import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../figures.ts';
import type { Instance } from './instance.ts';

export type Growth = Readonly<{
  instance: string;
  /** Medians of the first and second half. */
  memoryMb: readonly [number, number];
  descriptors: readonly [number, number];
  isGrowing: boolean;
}>;

/** Measures once a second until the signal: what an instance takes under an even load must not grow. */
export async function watchGrowth(
  instances: readonly Instance[],
  signal: AbortSignal,
): Promise<readonly Growth[]> {
  const samples = instances.map(() => ({ memory: [] as number[], descriptors: [] as number[] }));
  while (!signal.aborted) {
    for (const [index, instance] of instances.entries()) {
      const measured = instance.measure();
      if (measured === null) continue;
      samples[index]?.memory.push(measured.memoryMb);
      samples[index]?.descriptors.push(measured.descriptors);
    }
    await delay(1_000, null, { signal }).catch(() => {});
  }
  return instances.map(({ name }, index) => {
    const memoryMb = toHalves(samples[index]?.memory ?? []);
    const descriptors = toHalves(samples[index]?.descriptors ?? []);
    // What a garbage collection later or earlier makes of it, and a few connections.
    const isGrowing =
      memoryMb[1] > memoryMb[0] * 1.1 + 20 || descriptors[1] > descriptors[0] * 1.1 + 10;
    return { instance: name, memoryMb, descriptors, isGrowing };
  });
}

function toHalves(figures: readonly number[]): [number, number] {
  const middle = Math.floor(figures.length / 2);
  return [Math.round(median(figures.slice(0, middle))), Math.round(median(figures.slice(middle)))];
}
