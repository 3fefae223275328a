import { beforeAll, expect, test } from 'vitest';
import { send } from '../../../support/clients/http-client.ts';
import { forTests } from '../../../support/for-tests.ts';
import { startSite } from '../../../support/servers/marquee-server.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** What one client requests does not keep others waiting. Each has an address of its own behind a proxy. */

const server = forTests(() => startSite({ settings: { TRUST_PROXY: '1' } }));

const [hostile, visitor] = ['198.51.100.1', '203.0.113.1'];
const browse = (address: string, path: string) =>
  send(server, path, { headers: { accept: 'text/html, */*;q=0.8', 'x-forwarded-for': address } });
const times = (count: number, path: (index: number) => string, address = hostile) =>
  Array.from({ length: count }, (_, index) => browse(address, path(index)));

// The first render of a process may take longer on a busy machine than visitors are kept waiting.
beforeAll(() => waitFor(async () => expect((await browse(visitor, '/?q=')).status).toBe(200)));

test('a visitor gets a page at once beside a client that has requested forty', async () => {
  let done = 0;
  const storm = times(40, (index) => `/?q=storm${index}`).map((response) =>
    response.finally(() => {
      done += 1;
    }),
  );

  const page = await browse(visitor, '/?q=visit');
  const doneBefore = done;

  expect(page.status).toBe(200);
  await Promise.all(storm);
  expect(doneBefore).toBeLessThan(20);
});

test('the client that fills the queue of pages gets the 503s, with Retry-After, and others get pages', async () => {
  const storm = times(200, (index) => `/?q=full${index}`);

  const visits = await Promise.all(times(5, (index) => `/?q=visit-full${index}`, visitor));

  expect(visits.map(({ status }) => status)).toEqual(Array(5).fill(200));
  const busy = (await Promise.all(storm)).filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(20);
  expect(busy[0]?.header('retry-after')).toBe('2');
});

test('under /api nothing is rejected for it', async () => {
  const storm = times(300, (index) => `/api/v1/events?q=list${index}`);

  const statuses = (await Promise.all(storm)).map(({ status }) => status);

  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a client that disconnects leaves no work behind', async () => {
  const leaving = new AbortController();
  const storm = Array.from({ length: 50 }, (_, index) =>
    fetch(`${server.url}/?q=left${index}`, {
      signal: leaving.signal,
      headers: { accept: 'text/html', 'x-forwarded-for': hostile },
    }).catch(() => null),
  );
  await browse(visitor, '/?q=visit-left');
  leaving.abort();
  await Promise.all(storm);

  // The last of them, which nobody has waited for any more, has not been rendered.
  const last = await browse(hostile, '/?q=left49');

  expect(last.header('x-cache')).toBe('miss');
});
