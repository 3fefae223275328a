import { onTestFinished } from 'vitest';
import type { AirtableRecord } from '#lib/demo/airtable/airtable-record.ts';
import {
  type AirtableServer,
  type AirtableServerOptions,
  startAirtableServer,
} from '#lib/demo/airtable/airtable-server.ts';
import { toAirtableId } from '#lib/demo/seeded-random.ts';

/** Rows with numbered names. */
export function numberedRecords(count: number, generation = 'first'): AirtableRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: toAirtableId('rec', `${generation} ${index}`),
    createdTime: '2026-01-02T03:04:05.000Z',
    fields: { Name: `Event ${index}`, Description: generation, Pinned: index % 2 === 0 },
  }));
}

/** A server that closes after its test; its clock stands still unless advanced. */
export async function openServer(
  options: Partial<AirtableServerOptions> = {},
): Promise<AirtableServer> {
  const server = await startAirtableServer({
    token: 'pat-of-the-test',
    baseId: 'appOfTheTest',
    table: 'Events & more',
    records: numberedRecords(25),
    now: () => Date.parse('2026-11-21T12:00:00.000Z'),
    requestsPerSecond: Number.POSITIVE_INFINITY,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Calls "list records", by default with the server's token. */
export function list(server: AirtableServer, query = '', init: RequestInit = {}) {
  const table = encodeURIComponent(server.table);
  return fetch(`${server.url}/v0/${server.baseId}/${table}${query}`, {
    headers: { authorization: `Bearer ${server.token}` },
    redirect: 'manual',
    ...init,
  });
}

type Page = { records: AirtableRecord[]; offset?: string };

export async function readPage(server: AirtableServer, query = ''): Promise<Page> {
  const response = await list(server, query);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** All pages of one read. */
export async function readAll(server: AirtableServer, query = ''): Promise<Page[]> {
  const pages: Page[] = [await readPage(server, `?${query}`)];
  for (let offset = pages[0]?.offset; offset !== undefined; offset = pages.at(-1)?.offset) {
    pages.push(await readPage(server, `?${query}&offset=${encodeURIComponent(offset)}`));
  }
  return pages;
}

/** The type in an error's body, in either envelope. */
export async function errorType(response: Response): Promise<string> {
  const body = await response.json();
  return body.errors?.[0]?.error ?? body.error?.type ?? body.error;
}
