import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLoadMonitor, type LoadMonitorOptions } from '#lib/telemetry/health.ts';
import { createTestLog } from '../../../support/test-log.ts';

const sampleMs = 100;
let timeMs = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => timeMs);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function startMonitor(options: Omit<LoadMonitorOptions, 'log'>) {
  const log = createTestLog();
  const monitor = createLoadMonitor({ ...options, log });
  onTestFinished(monitor.close);
  return { ...monitor, log };
}

/** So many turns of the event loop, after each of which the timer is called. */
function runTurns(count: number, ms: number): void {
  for (let turn = 0; turn < count; turn += 1) {
    timeMs += ms;
    vi.advanceTimersByTime(sampleMs);
  }
}

test('a process whose callbacks have to wait is overloaded until they do no longer', () => {
  const { isOverloaded, log } = startMonitor({ delayMsMax: 300, memoryMs: 500 });
  runTurns(10, sampleMs);
  expect(isOverloaded()).toBe(false);

  // 600 ms too late each time: the mean is 150, 263 and 347 ms.
  runTurns(2, 700);
  expect(isOverloaded()).toBe(false);
  runTurns(1, 700);
  expect(isOverloaded()).toBe(true);
  runTurns(5, 700);
  runTurns(20, sampleMs);
  expect(isOverloaded()).toBe(false);

  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('one long turn, as when the process starts, is no overload', () => {
  const { isOverloaded, log } = startMonitor({ delayMsMax: 100, memoryMs: 500 });
  runTurns(1, 60_000);
  expect(isOverloaded()).toBe(false);
  runTurns(3, sampleMs);
  expect(isOverloaded()).toBe(false);
  expect(log.lines).toEqual([]);
});

test('turns that are late by less than the bound are no overload', () => {
  const { isOverloaded } = startMonitor({ delayMsMax: 300 });
  runTurns(200, sampleMs + 290);
  expect(isOverloaded()).toBe(false);
  runTurns(200, sampleMs + 310);
  expect(isOverloaded()).toBe(true);
});
