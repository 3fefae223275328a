import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable-server.ts';
import { ask } from '../support/http-client.ts';
import {
  type MarqueeServer,
  startMarquee,
  startTable,
  toTableSettings,
} from '../support/marquee-server.ts';

let table: AirtableServer;
let server: MarqueeServer;

beforeAll(async () => {
  table = await startTable();
  server = await startMarquee(toTableSettings(table));
}, 60_000);

afterAll(async () => {
  await server.stop();
  await table.close();
});

/**
 * What a server may send before the first acknowledgement comes back: ten segments (RFC 6928 §2) of what
 * Ethernet carries. A byte more costs every newcomer a round trip, 150 ms on a slow phone.
 */
const firstFlightBytes = 10 * 1460;

test.each(['/', '/events/robot-sumo-cardboard-league', '/docs/api'])(
  '%s comes in the first flight of a connection, its headers included',
  async (path) => {
    // The first caller gets what is pressed quickly; the smallest form is there soon after.
    await expect
      .poll(() => measure(path), { timeout: 20_000 })
      .toBeLessThanOrEqual(firstFlightBytes);
  },
  30_000,
);

async function measure(path: string): Promise<number> {
  const asked = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' };
  const { status, headers, body } = await ask(server, path, { headers: asked });
  expect(status).toBe(200);
  expect(body.length).toBeGreaterThan(5_000);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`.length + body.length;
}
