import { expect, test } from 'vitest';
import { createTooManyStreamsError } from '#lib/events/changes/respond-with-changes.ts';
import { parseListQuery } from '#lib/events/query/parse-query.ts';
import { requireEvent } from '#lib/events/search/require-event.ts';
import { AirtableError } from '#lib/events/source/airtable/failure.ts';
import { missingCredentials } from '#lib/events/source/airtable/source.ts';
import { createNotReadYetError } from '#lib/events/source/loader.ts';
import { createApiRoute } from '#lib/http/api-route.ts';
import { toExampleErrors } from '#lib/representations/openapi/examples.ts';
import { makeDrafts } from '../../../support/factories/draft-factory.ts';
import { makeSnapshot } from '../../../support/factories/snapshot-factory.ts';
import { createTestLog } from '../../../support/test-log.ts';

const siteUrl = 'https://events.example';

/** The body of the response to a request whose handler does this. */
async function respondTo(
  handle: () => Promise<unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const services = { site: { url: siteUrl }, log: createTestLog() };
  const { GET } = createApiRoute(
    () => services,
    async () => Response.json(await handle()),
    { produces: 'application/json' },
  );
  const request = new Request(`${siteUrl}/api/v1/events`, { headers });
  const response = await GET(request, { params: Promise.resolve({}) });
  return response.json();
}

const causes: Readonly<Record<string, () => Promise<unknown>>> = {
  bad_request: () => respondTo(async () => parseListQuery(`${siteUrl}/api/v1/events?sort=start`)),
  not_found: () =>
    respondTo(async () => {
      const drafts = makeDrafts(1).map((draft) => ({ ...draft, name: 'Lantern Jam' }));
      return requireEvent(await makeSnapshot(drafts), 'lantern-jma');
    }),
  not_acceptable: () => respondTo(async () => null, { accept: 'image/png' }),
  too_many_requests: () => respondTo(() => Promise.reject(createTooManyStreamsError())),
  server_misconfigured: () => respondTo(() => missingCredentials('AIRTABLE_TOKEN').read()),
  upstream_error: () => respondTo(() => Promise.reject(new AirtableError({ reason: 'network' }))),
  events_not_read_yet: () => respondTo(() => Promise.reject(createNotReadYetError(12_300))),
};

test.each(toExampleErrors(siteUrl))(
  'the example of $code is what the API returns',
  async (body) => {
    expect(await causes[body.code]?.()).toEqual(body);
  },
);
