import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { examineClock } from '#lib/cli/doctor/examine-machine.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';

const serverTime = Date.parse('2026-11-22T12:00:00Z');

// ASVS 16.2.2
test.for([
  [0, 'ok', 'agrees with HOST'],
  [4_000, 'ok', 'agrees with HOST'],
  [90_500, 'warning', '90 s ahead of that of HOST: synchronize it (NTP).'],
  [-59_500, 'warning', '60 s behind that of HOST: synchronize it (NTP).'],
] as const)('a clock %i ms away is %s', async ([aheadMs, level, text]) => {
  const dated = createServer((_, response) => {
    response.setHeader('Date', new Date(serverTime).toUTCString());
    response.writeHead(401).end();
  });
  await using server = await listenOnLoopback(dated);
  const { host } = new URL(server.url);
  const finding = await examineClock(`${server.url}/v0`, () => serverTime + aheadMs);
  expect(finding).toEqual({ name: 'clock', level, text: text.replace('HOST', host) });
});
