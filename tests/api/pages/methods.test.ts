import { METHODS } from 'node:http';
import { expect, test } from 'vitest';
import { send } from '../../support/clients/http-client.ts';
import { expectCommonHeaders, readApiError } from '../../support/responses/api-responses.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();

const known = [
  '/api/v1/events',
  '/api/v1/events/some-event',
  '/api/v1/events/rss',
  '/api/v1/events/feed.json',
  '/api/v1/events/calendar.ics',
  '/api/v1/openapi.json',
];
const unknown = [
  '/api',
  '/api/v1',
  '/api/v2/events',
  '/api/v1/events/a/b',
  '/api/index.html',
  '/api/.env',
];
const readMethods = 'GET, HEAD, OPTIONS';
// Node closes the connection after CONNECT.
const otherMethods = METHODS.filter((method) => !/^(?:GET|HEAD|OPTIONS|CONNECT)$/.test(method));

// ASVS 3.5.3, 13.4.4
test.each(known)('%s responds to other methods with a 405 and Allow', async (path) => {
  for (const method of otherMethods) {
    const response = await send(server, path, { method });
    readApiError(response, 'method_not_allowed');
    expect(response.header('allow'), method).toBe(readMethods);
  }
});

test.each(unknown)('%s is an API 404, whatever the method', async (path) => {
  readApiError(await send(server, path), 'not_found');
  const head = await send(server, path, { method: 'HEAD' });
  expect(head.status).toBe(404);
  expect(head.header('content-type')).toContain('application/json');
  for (const method of otherMethods) readApiError(await send(server, path, { method }));
  expectCommonHeaders(await send(server, path, { method: 'OPTIONS' }));
});

test.each([...known, ...unknown])(
  'a preflight of %s is a 204 that allows conditional requests',
  async (path) => {
    const response = await send(server, path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    });
    expect(response.status).toBe(204);
    expectCommonHeaders(response);
    expect(response.body.length).toBe(0);
    expect(response.header('access-control-allow-methods')).toBe(readMethods);
    expect(response.header('access-control-allow-headers').toLowerCase()).toMatch(
      /if-none-match.*if-modified-since/,
    );
    expect(response.header('access-control-max-age')).toBe('86400');
  },
);

test('a HEAD of an error has its status and headers, and no body', async () => {
  for (const path of ['/api/v1/events?limit=0', '/api/v1/events/nobody', '/api/v1/events/%zz']) {
    const [get, head] = [await send(server, path), await send(server, path, { method: 'HEAD' })];
    expect(head.status).toBe(get.status);
    expect(head.body.length).toBe(0);
    expect(head.header('content-type')).toBe(get.header('content-type'));
    expectCommonHeaders(head);
  }
});
