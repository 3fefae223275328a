import { expect, test } from 'vitest';
import { readFreshSeconds, send } from '../../support/clients/http-client.ts';
import { readApiError, readEventList } from '../../support/responses/api-responses.ts';
import {
  startMarqueeInProcess,
  startTable,
  toTableSettings,
} from '../../support/servers/marquee-server.ts';

const clients = 200;
const stepMs = 25_000;
const downMs = 600_000;

test('while the upstream is down, it is read once at a time, and no response is older than 300 seconds', async () => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const table = await startTable();
  const server = await startMarqueeInProcess(toTableSettings(table), { now });
  const sendAll = () =>
    Promise.all(Array.from({ length: clients }, () => send(server, '/api/v1/events?limit=3')));
  try {
    const before = readEventList(await send(server, '/api/v1/events?limit=3'));
    table.setFault({ kind: '503', retryAfterSeconds: 120 });
    table.resetStats();
    const outcomes: string[] = [];
    for (; aheadMs < downMs; aheadMs += stepMs) {
      const sentAt = now();
      const responses = await sendAll();
      const kinds = new Set(responses.map(({ status }) => status));
      for (const response of responses) {
        if (response.status !== 200) readApiError(response, 'upstream_error');
        else {
          const age = sentAt - Date.parse(readEventList(response).meta.generatedAt);
          expect(age + readFreshSeconds(response) * 1000).toBeLessThanOrEqual(300_000);
        }
      }
      outcomes.push([...kinds].join(' '));
    }
    // The snapshot is served until it is too old, then there are only errors.
    expect(outcomes.join(',')).toMatch(/^(?:200,)+502(?:,502)+$/);
    expect(outcomes.indexOf('502') * stepMs).toBeGreaterThanOrEqual(240_000);
    const { openRequestsMax, listRequests } = table.stats();
    expect(openRequestsMax).toBe(1);
    expect(listRequests).toBeLessThan(outcomes.length * 20);

    table.setFault(null);
    const after = await sendAll();
    const times = after.map((response) => readEventList(response).meta.generatedAt);
    expect(new Set(times).size).toBe(1);
    expect(Date.parse(times[0] ?? '')).toBeGreaterThan(
      Date.parse(before.meta.generatedAt) + downMs - 1000,
    );
    expect(table.stats().openRequests).toBe(0);
  } finally {
    await server.stop();
    await table.close();
  }
}, 60_000);

test('200 concurrent requests to a new server cause one read', async () => {
  const table = await startTable();
  const server = await startMarqueeInProcess(toTableSettings(table));
  try {
    table.setFault({ kind: 'slow', delayMs: 300 });
    const responses = await Promise.all(
      Array.from({ length: clients }, () => send(server, '/api/v1/events')),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(table.stats().listRequests).toBe(1);
  } finally {
    await server.stop();
    await table.close();
  }
});
