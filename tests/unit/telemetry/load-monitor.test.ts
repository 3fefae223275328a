import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { channels } from '#lib/telemetry/channels.ts';
import { LoadMonitor, type LoadMonitorOptions } from '#lib/telemetry/load-monitor.ts';
import { createTestLog } from '../../support/test-log.ts';

const sampleMs = 100;
let [timeMs, cpuMs] = [0, 0];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => timeMs);
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: cpuMs * 600,
    system: cpuMs * 400,
  }));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function startMonitor(options: Omit<LoadMonitorOptions, 'log'>) {
  const log = createTestLog();
  const monitor = new LoadMonitor({ ...options, log });
  onTestFinished(() => monitor.close());
  return { monitor, log };
}

/** Time passes, all of it on the processor or as much as is said. */
function work(ms: number, onProcessorMs = ms): void {
  timeMs += ms;
  cpuMs += onProcessorMs;
}

/** So many turns of the event loop, after each of which the timer is called. */
function runTurns(count: number, ms: number, onProcessorMs = ms): void {
  for (let turn = 0; turn < count; turn += 1) {
    work(ms, onProcessorMs);
    vi.advanceTimersByTime(sampleMs);
  }
}

test('a process whose callbacks have to wait is overloaded until they do no longer', () => {
  const { monitor, log } = startMonitor({ delayMsMax: 300, memoryMs: 500 });
  runTurns(10, sampleMs);
  expect(monitor.isOverloaded).toBe(false);

  // 600 ms too late each time: the mean is 150, 263 and 347 ms.
  runTurns(2, 700);
  expect(monitor.isOverloaded).toBe(false);
  runTurns(1, 700);
  expect(monitor.isOverloaded).toBe(true);
  runTurns(5, 700);
  runTurns(20, sampleMs);
  expect(monitor.isOverloaded).toBe(false);

  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('a process that waits for a processor is not overloaded', () => {
  const { monitor, log } = startMonitor({ delayMsMax: 300, memoryMs: 500 });
  runTurns(50, 5_000, 90);
  expect(monitor.isOverloaded).toBe(false);
  expect(log.lines).toEqual([]);
});

test('one long turn, as when the process starts, is no overload', () => {
  const { monitor, log } = startMonitor({ delayMsMax: 100, memoryMs: 500 });
  runTurns(1, 60_000);
  expect(monitor.isOverloaded).toBe(false);
  runTurns(3, sampleMs);
  expect(monitor.isOverloaded).toBe(false);
  expect(log.lines).toEqual([]);
});

test('turns that are late by less than the bound are no overload', () => {
  const { monitor } = startMonitor({ delayMsMax: 300 });
  runTurns(200, sampleMs + 290);
  expect(monitor.isOverloaded).toBe(false);
  runTurns(200, sampleMs + 310);
  expect(monitor.isOverloaded).toBe(true);
});

const begin = (route: string) => channels.requestBegun.publish({ method: 'GET', route });

test('the log names the request that began before the event loop was held longest', () => {
  const { log } = startMonitor({ delayMsMax: 300, memoryMs: 500 });
  for (let turn = 0; turn < 10; turn++) {
    begin('/quick');
    work(10);
    begin('/long');
    work(650);
    begin('/other');
    runTurns(1, 40);
  }
  expect(log.lines[0]?.fields).toMatchObject({ longest: 'GET /long' });
});

test('the CPU time is read once for all requests of ten milliseconds', () => {
  startMonitor({});
  const readsBefore = vi.mocked(process.threadCpuUsage).mock.calls.length;
  for (let requests = 0; requests < 1_000; requests += 1) {
    work(0.5);
    begin('/quick');
  }
  expect(vi.mocked(process.threadCpuUsage).mock.calls.length - readsBefore).toBe(50);
});

test('the log names a query that held the event loop, and none that another process did', () => {
  const { log } = startMonitor({ delayMsMax: 300, memoryMs: 500 });
  for (let turn = 0; turn < 10; turn++) {
    begin('/usage');
    work(100);
    channels.slowQuery.publish({ name: 'select marquee_keys', durationMs: 900 });
    work(600);
    channels.slowQuery.publish({ name: 'select marquee_usage', durationMs: 600 });
    runTurns(1, 40);
  }
  expect(log.lines[0]?.fields).toMatchObject({ longest: 'select marquee_usage' });
});
