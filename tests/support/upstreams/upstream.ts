import {
  type AirtableClientOptions,
  createAirtableClient,
} from '#lib/events/source/airtable/client.ts';
import type { AirtableRecord } from '#lib/events/source/airtable/request-page.ts';
import { startTestAirtable, type TestAirtableOptions } from '../airtable/test-airtable.ts';
import { makeRecordId } from '../factories/draft-factory.ts';

/** Starts a local Airtable server with a client; both stop with the scope. */
export async function startUpstream(
  server: Partial<TestAirtableOptions> = {},
  client: AirtableClientOptions = {},
) {
  const upstream = await startTestAirtable({
    token: 'patTest.0123456789',
    baseId: 'appTest0000000000',
    table: 'Events',
    records: makeRecords(3),
    ...server,
  });
  const { url: apiUrl, token, baseId, table } = upstream;
  const airtable = createAirtableClient({ apiUrl, token, baseId, table }, client);
  return {
    upstream,
    client: airtable,
    async [Symbol.asyncDispose]() {
      await airtable.close();
      await upstream.close();
    },
  };
}

/** Creates valid records. */
export function makeRecords(
  count: number,
  overrides: (index: number) => Readonly<Record<string, unknown>> = () => ({}),
): AirtableRecord[] {
  return Array.from({ length: count }, (_, index) => makeRecord(overrides(index), index));
}

/** Creates a valid record. */
export function makeRecord(
  fields: Readonly<Record<string, unknown>> = {},
  index = 0,
): AirtableRecord {
  return {
    id: makeRecordId(index),
    createdTime: '2026-01-02T03:04:05.000Z',
    fields: { Name: `Event number ${index}`, 'Start Date': '2026-03-01', ...fields },
  };
}
