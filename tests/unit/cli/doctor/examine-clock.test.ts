import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { examineClock } from '#lib/cli/doctor/examine-machine.ts';

const serverTime = Date.parse('2026-11-22T12:00:00Z');

test.for([
  [0, 'ok', 'agrees with HOST'],
  [4_000, 'ok', 'agrees with HOST'],
  [90_500, 'warning', '90 s ahead of that of HOST: synchronize it (NTP).'],
  [-59_500, 'warning', '60 s behind that of HOST: synchronize it (NTP).'],
] as const)('a clock %i ms away is %s', async ([aheadMs, level, text]) => {
  const server = createServer((_, response) => {
    response.setHeader('Date', new Date(serverTime).toUTCString());
    response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const finding = await examineClock(`http://${host}/v0`, () => serverTime + aheadMs);
  expect(finding).toEqual({ name: 'clock', level, text: text.replace('HOST', host) });
});
