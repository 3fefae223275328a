import { beforeEach, expect, test, vi } from 'vitest';
import { watchMemory } from '#lib/server/workers/watch-memory.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

test('memory above the bound is told from the third check in a row on', () => {
  const read = [101, 101, 100, 101, 101, 101, 102];
  const told: number[] = [];
  const readBytes = vi.fn(() => read.shift() ?? 0);
  watchMemory({ bytesMax: 100, send: ({ memoryBytes }) => told.push(memoryBytes), readBytes });
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([101, 102]);
});
