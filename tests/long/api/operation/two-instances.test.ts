import { describe, expect, inject, test } from 'vitest';
import type { Environment } from '#lib/config/config.ts';
import { send } from '../../../support/clients/http-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { readEventList } from '../../../support/responses/api-responses.ts';
import {
  type MarqueeServer,
  startMarquee,
  startMarqueeInProcess,
} from '../../../support/servers/marquee-server.ts';
import { setUpPostgres } from '../../../support/servers/postgres-server.ts';

/** A process and a server in this process, with one table. */
function runTwoInstances(toSettings: () => Promise<Environment>): readonly MarqueeServer[] {
  return [
    forTests(async () => startMarquee(await toSettings())),
    forTests(async () => startMarqueeInProcess(await toSettings())),
  ];
}

const { settings } = inject('servers').native;
const timestamped = [
  '/api/v1/events',
  '/api/v1/events/SLUG',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/index.md',
];

describe('two instances that share a database', () => {
  const postgres = setUpPostgres();
  let databaseUrl: Promise<string> | null = null;
  const instances = runTwoInstances(async () => {
    databaseUrl ??= postgres.createDatabase();
    return {
      ...settings,
      DATABASE_URL: await databaseUrl,
      KEY_PEPPER: 'a-pepper-of-thirty-two-characters',
    };
  });

  test.each(['/api/v1/events/calendar.ics', ...timestamped])(
    '%s has the same bytes and ETag',
    (path) => expectSame(instances, path),
  );
});

describe('two instances that share the table only', () => {
  const instances = runTwoInstances(async () => settings);

  test.each([
    '/api/v1/events/calendar.ics',
    '/api/v1/openapi.json',
    '/llms.txt',
    '/events/SLUG.md',
    '/docs/api.md',
  ])('%s has the same bytes and ETag', (path) => expectSame(instances, path));

  test.each(timestamped)('%s differs only in the time of the read', async (path) => {
    const [first, second] = (await sendToEach(instances, path)).map(({ text }) =>
      text
        .replace(
          /("generated_?[aA]t":")[^"]+|(<lastBuildDate>)[^<]+|(Last changed )[\dT:.-]+Z/g,
          '$1$2$3N',
        )
        // Each read has new signed URLs.
        .replace(/\/attachments\/[^"]+/g, 'N'),
    );
    expect(first).toBeTruthy();
    expect(second).toBe(first);
  });
});

async function expectSame(instances: readonly MarqueeServer[], path: string): Promise<void> {
  const [first, second] = await sendToEach(instances, path);
  expect(first?.status).toBe(200);
  expect(second?.text).toBe(first?.text);
  expect(second?.header('etag')).toBe(first?.header('etag'));
}

async function sendToEach(instances: readonly MarqueeServer[], path: string) {
  const [instance] = instances;
  if (instance === undefined) throw new Error('No instance runs.');
  const [event] = readEventList(await send(instance, '/api/v1/events?limit=1')).data;
  const filled = path.replace('SLUG', event?.slug ?? '');
  return Promise.all(instances.map((instance) => send(instance, filled)));
}
