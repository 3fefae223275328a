import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { forTests } from '../../support/for-tests.ts';
import { startMembersSite } from '../../support/members/members-site.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKeys = forTests(() =>
  listenOnLoopback(
    createServer((_, response) => {
      const key = publicKey.export({ type: 'spki', format: 'pem' });
      response.end(JSON.stringify({ public_keys: [{ key_identifier: 'one', key }] }));
    }),
  ),
);
const site = forTests(() => startMembersSite({ settings: { LEAKED_KEYS_URL: publicKeys.url } }));
/** A site without the settings. */
const plain = shareServer();

/** A member with a key, and their browser. */
async function makeKey(person: string, name: string) {
  const { browser, key } = await site.makeKey(person, name);
  return { key, readAccount: async () => (await browser.open(`${site.siteUrl}/account`)).text };
}

function report(body: string, signed = body, url = site.server.url): Promise<Response> {
  const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64');
  const headers = {
    'Github-Public-Key-Identifier': 'one',
    'Github-Public-Key-Signature': signature,
  };
  return fetch(`${url}/hooks/leaked-keys`, { method: 'POST', headers, body });
}

function send(path: string, key: string, method = 'GET'): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}` };
  return fetch(`${site.server.url}/proxy/v1/${path}`, { method, headers });
}

/** Instances know a key for two seconds. */
function waitForRejection(key: string): Promise<void> {
  return expect.poll(async () => (await send('key', key)).status).toBe(401);
}

test('a key in a signed report stops working within seconds, and the account page says why', async () => {
  const { key, readAccount } = await makeKey('ada', 'laptop');
  expect((await send('key', key)).status).toBe(200);
  const found = [{ token: key, type: 'marquee_api_key', url: 'https://github.com/a', source: 'x' }];
  for (const _ of ['first', 'again']) {
    const response = await report(JSON.stringify(found, null, 2));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject([{ label: 'true_positive' }]);
  }
  await waitForRejection(key);
  expect(await readAccount()).toMatch(/Your key “.*laptop.*” no longer works: .*GitHub/s);
  expect(site.server.logText()).not.toContain(key);
});

test('a report that was changed revokes nothing', async () => {
  const { key } = await makeKey('ada', 'desk');
  const body = JSON.stringify([{ token: key, type: 'marquee_api_key' }]);
  expect((await report(body, `${body} `)).status).toBe(401);
  const unsigned = await fetch(`${site.server.url}/hooks/leaked-keys`, { method: 'POST', body });
  expect(unsigned.status).toBe(401);
  expect((await send('key', key)).status).toBe(200);
});

test('without the setting there is no such URL', async () => {
  expect((await report('[]', '[]', plain.url)).status).toBe(404);
});

test('the holder of a key revokes it, twice, and its owner is told', async () => {
  const { key, readAccount } = await makeKey('root', 'laptop');
  for (const _ of ['first', 'again']) {
    const response = await send('key/revoke', key, 'POST');
    expect([response.status, await response.json()]).toEqual([200, { revoked: true }]);
  }
  await waitForRejection(key);
  expect(await readAccount()).toContain('somebody who has the key revoked it');
  const unknown = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  expect((await send('key/revoke', unknown, 'POST')).status).toBe(401);
});
