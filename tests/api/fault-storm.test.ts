import { expect, test } from 'vitest';
import { readApiError, readEventList } from '../support/api-forms.ts';
import { ask, readFreshSeconds } from '../support/http-client.ts';
import { startMarqueeInProcess, startTable, toTableSettings } from '../support/marquee-server.ts';

const callers = 200;
const stepMs = 25_000;
const downMs = 600_000;

test('an upstream that is down for ten minutes sees one read at a time, and nobody sees old events', async () => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const table = await startTable();
  const server = await startMarqueeInProcess(toTableSettings(table), { now });
  const askAll = () =>
    Promise.all(Array.from({ length: callers }, () => ask(server, '/api/v1/events?limit=3')));
  try {
    const before = readEventList(await ask(server, '/api/v1/events?limit=3'));
    table.setFault({ kind: '503', retryAfterSeconds: 120 });
    table.resetStats();
    const outcomes: string[] = [];
    for (; aheadMs < downMs; aheadMs += stepMs) {
      const askedAt = now();
      const answers = await askAll();
      const kinds = new Set(answers.map(({ status }) => status));
      for (const answer of answers) {
        if (answer.status !== 200) readApiError(answer, 'upstream_error');
        else {
          const age = askedAt - Date.parse(readEventList(answer).meta.generatedAt);
          expect(age + readFreshSeconds(answer) * 1000).toBeLessThanOrEqual(300_000);
        }
      }
      outcomes.push([...kinds].join(' '));
    }
    // First the snapshot lasts, then there is an honest error and nothing else.
    expect(outcomes.join(',')).toMatch(/^(?:200,)+502(?:,502)+$/);
    expect(outcomes.indexOf('502') * stepMs).toBeGreaterThanOrEqual(240_000);
    const { openRequestsMax, listRequests } = table.stats();
    expect(openRequestsMax).toBe(1);
    expect(listRequests).toBeLessThan(outcomes.length * 20);

    table.setFault(null);
    const after = await askAll();
    const times = after.map((answer) => readEventList(answer).meta.generatedAt);
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

test('200 callers who come to a cold server cost one read', async () => {
  const table = await startTable();
  const server = await startMarqueeInProcess(toTableSettings(table));
  try {
    table.setFault({ kind: 'slow', delayMs: 300 });
    const answers = await Promise.all(
      Array.from({ length: callers }, () => ask(server, '/api/v1/events')),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(table.stats().listRequests).toBe(1);
  } finally {
    await server.stop();
    await table.close();
  }
});
