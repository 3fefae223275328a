import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { startTestModels } from '../../../support/models/test-models.ts';
import { createMovedClock } from '../../../support/programs/faketime.ts';
import { chatPath, toRequestJson, upstreamKey } from '../../../support/servers/in-process-proxy.ts';
import { makeKeyIn } from '../../../support/servers/make-key.ts';
import { startSite } from '../../../support/servers/marquee-server.ts';
import { skipWithout } from '../../../support/servers/skip-without.ts';
import { makeTestFolder } from '../../../support/temporary-folder.ts';

skipWithout('faketime');

const jumps = [
  { name: 'the end of a month', from: '2026-11-30T23:59:00Z', to: '2026-12-01T00:00:05Z' },
  { name: 'clocks go back', from: '2026-10-25T00:59:30Z', to: '2026-10-25T01:00:05Z' },
  { name: 'clocks go forward', from: '2027-03-28T00:59:30Z', to: '2027-03-28T01:00:05Z' },
  { name: 'an hour back', from: '2027-01-02T00:10:00Z', to: '2027-01-01T23:10:00Z' },
  { name: 'years ahead', from: '2027-02-01T12:00:00Z', to: '2030-01-01T12:00:00Z' },
  { name: 'back again', from: '2030-01-01T12:02:00Z', to: '2027-02-01T12:04:00Z' },
];

test('whenever the clock jumps, requests and streams go on, and each counts once, on its day', async () => {
  const place = { databaseUrl: null, dataDir: makeTestFolder() };
  const pepper = 'p'.repeat(40);
  const { text: key, record } = await makeKeyIn(place, pepper);
  const models = await startTestModels({ key: upstreamKey, paceMs: 20 });
  onTestFinished(models.close);
  const clock = createMovedClock(makeTestFolder(), '2026-10-01T12:00:00Z');
  await using site = await startSite({
    settings: {
      ...clock.settings,
      DATA_DIR: place.dataDir,
      KEY_PEPPER: pepper,
      TZ: 'Europe/Berlin',
      EVENTS_TIME_ZONE: 'Europe/Berlin',
      AI_UPSTREAM_URL: models.url,
      AI_UPSTREAM_KEY: upstreamKey,
      TOTAL_BUDGET: '1000000 tokens/day',
    },
  });
  const send = (isStream: boolean) =>
    postJson(site.url + chatPath, key, toRequestJson(chatPath, 'lantern-demo/wick-3', isStream));
  let tokensOfReply = 0;
  for (const { name, from, to } of jumps) {
    clock.moveTo(from);
    const stream = await send(true);
    clock.moveTo(to);
    const reply = await send(false);
    expect([name, reply.status]).toEqual([name, 200]);
    tokensOfReply = (await reply.json()).usage.completion_tokens;
    expect([name, (await stream.text()).trimEnd().endsWith('data: [DONE]')]).toEqual([name, true]);
    const events = await fetch(`${site.url}/api/v1/events`);
    expect([name, events.status]).toEqual([name, 200]);
    // Neither older than events may be, nor of a time that has not come.
    const ageMs = Date.parse(to) - Date.parse((await events.json()).meta.generatedAt);
    expect(Math.abs(ageMs)).toBeLessThan(300_000);
    expect((await fetch(`${site.url}/health/ready`)).status).toBe(200);
  }
  expect(await site.terminate()).toBe(0);
  const database = await openDatabase(place);
  onTestFinished(database.close);
  const days = await database.usage.sumByDayAndModel(record.id, '');
  expect(days.map(({ day, requests }) => [day, requests]).toSorted()).toEqual([
    ['2026-10-25', 2],
    ['2026-11-30', 1],
    ['2026-12-01', 1],
    ['2027-01-01', 1],
    ['2027-01-02', 1],
    ['2027-02-01', 2],
    ['2027-03-28', 2],
    ['2030-01-01', 2],
  ]);
  for (const { requests, tokensOut } of days) expect(tokensOut).toBe(requests * tokensOfReply);
});
