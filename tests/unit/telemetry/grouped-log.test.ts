import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGroupedLog } from '#lib/telemetry/grouped-log.ts';
import { createTestLog } from '../../support/test-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('of equal warnings the first is written, then one a minute with their count', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  for (let count = 0; count < 100; count++) {
    grouped.warn({ code: 'upstream_error', requestId: `id-${count}` }, 'It failed.');
  }
  expect(log.lines).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  expect(log.lines).toHaveLength(2);
  expect(log.lines[1]).toMatchObject({
    level: 'warn',
    message: 'It failed.',
    fields: { requestId: 'id-99', repeated: 99 },
  });
});

test('an outage that goes on is written once a minute', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  for (let second = 0; second < 300; second++) {
    grouped.warn({ code: 'upstream_error' }, 'It failed.');
    vi.advanceTimersByTime(1000);
  }
  expect(log.lines).toHaveLength(6);
});

test('after a quiet minute the next one is written at once', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  grouped.warn({}, 'It failed.');
  vi.advanceTimersByTime(60_000);
  expect(log.lines).toHaveLength(1);
  grouped.warn({}, 'It failed.');
  expect(log.lines).toHaveLength(2);
});

test('different problems are not grouped', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  grouped.warn({ reason: 'timeout' }, 'It failed.');
  grouped.warn({ reason: 'network' }, 'It failed.');
  grouped.warn({ reason: 'network', upstream: 'north' }, 'It failed.');
  grouped.error({ err: new Error('one') }, 'A request failed.');
  grouped.error({ err: new Error('two') }, 'A request failed.');
  for (const problem of ['upstreams[0].url must be a URL', 'upstreams.json cannot be read']) {
    grouped.error({ problem }, 'the previous upstreams stay');
  }
  expect(log.lines).toHaveLength(7);
});

test('information is never grouped', () => {
  const log = createTestLog();
  const grouped = createGroupedLog(log);
  grouped.info({}, 'ready');
  grouped.info({}, 'ready');
  expect(log.lines).toHaveLength(2);
});
