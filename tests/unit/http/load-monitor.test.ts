import { expect, onTestFinished, test } from 'vitest';
import { createLoadMonitor } from '#lib/http/load-monitor.ts';
import { createTestLog } from '../../support/test-log.ts';

const patience = { timeout: 10_000, interval: 5 };

/** Keeps the event loop busy for so long in each of its turns; returns a function that stops it. */
function blockEventLoop(ms: number): () => void {
  let isOver = false;
  const block = () => {
    const end = performance.now() + ms;
    while (performance.now() < end);
    if (!isOver) setImmediate(block);
  };
  block();
  return () => {
    isOver = true;
  };
}

test('a process whose callbacks have to wait is overloaded until they do no longer', async () => {
  const log = createTestLog();
  const monitor = createLoadMonitor({ delayMsMax: 300, log, memoryMs: 500 });
  onTestFinished(monitor.close);
  expect(monitor.isOverloaded()).toBe(false);

  const stop = blockEventLoop(700);
  onTestFinished(stop);
  await expect.poll(monitor.isOverloaded, patience).toBe(true);
  stop();
  await expect.poll(monitor.isOverloaded, patience).toBe(false);

  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('one long turn, as when the process starts, is no overload', async () => {
  const log = createTestLog();
  const monitor = createLoadMonitor({ delayMsMax: 100, log, memoryMs: 500 });
  onTestFinished(monitor.close);

  blockEventLoop(1_500)();
  await new Promise((resolve) => setTimeout(resolve, 250));

  expect(monitor.isOverloaded()).toBe(false);
  expect(log.lines).toEqual([]);
});

test('a bound of 0 is none', async () => {
  const monitor = createLoadMonitor({ delayMsMax: 0, log: createTestLog() });
  onTestFinished(monitor.close);

  const stop = blockEventLoop(50);
  await new Promise((resolve) => setTimeout(resolve, 120));
  stop();

  expect(monitor.isOverloaded()).toBe(false);
});
