import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AirtableServer } from '#lib/demo/airtable/airtable-server.ts';
import { picturesFolder } from '#lib/demo/load-pictures.ts';
import { openServer, readPage } from './open-airtable-server.ts';

const twoHoursMs = 2 * 60 * 60 * 1000;

function recordWith(cell: unknown) {
  const fields = { Name: 'Lantern Night', Logo: cell };
  return [{ id: 'rec00000000000001', createdTime: '2026-01-02T03:04:05.000Z', fields }];
}

const stored = [{ id: 'att00000000000001', file: 'lantern-night.webp' }];

async function readAttachment(server: AirtableServer) {
  const page = await readPage(server);
  return JSON.parse(JSON.stringify(page.records[0]?.fields.Logo))[0];
}

test('an attachment needs no token, and its thumbnails are smaller', async () => {
  const server = await openServer({ records: recordWith(stored) });
  const { url, thumbnails } = await readAttachment(server);
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('image/webp');
  const bytes = await readFile(join(picturesFolder, 'lantern-night.webp'));
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  const small = await (await fetch(thumbnails.small.url)).arrayBuffer();
  expect(small.byteLength).toBeLessThan(3000);
  expect(server.stats().attachmentsServed).toBe(2);
});

test('an attachment’s URL expires after two hours', async () => {
  const server = await openServer({ records: recordWith(stored) });
  const { url } = await readAttachment(server);
  server.advanceClock(twoHoursMs);
  expect((await fetch(url)).status).toBe(200);
  server.advanceClock(1);
  expect((await fetch(url)).status).toBe(410);
});

test('a tampered URL gives 403', async () => {
  const server = await openServer({ records: recordWith(stored) });
  const { url } = await readAttachment(server);
  const [, , , , signature = '', expiry = ''] = new URL(url).href.split('/');
  const tampered = [
    url.replace(expiry, String(Number(expiry) + 1)),
    url.replace('lantern-night', 'night-train'),
    url.replace(signature, signature.slice(0, -2)),
    `${server.url}/attachments/${encodeURIComponent('../../package.json')}`,
    `${server.url}/attachments/`,
  ];
  for (const url of tampered) expect((await fetch(url)).status, url).toBe(403);
});
