import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { createKeyRegister } from '#lib/keys/key-register.ts';
import { createKeyHasher, makeKeyText } from '#lib/keys/key-text.ts';
import { createLeakedKeys } from '#lib/keys/leaked-keys/leaked-keys.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { forTests } from '../../support/for-tests.ts';
import { readAuditLog } from '../../support/read-audit-log.ts';
import { openTestDatabase } from '../../support/servers/each-database.ts';
import { listenOnLoopback } from '../../support/servers/loopback-server.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' });
let listed: Record<string, string> = {};
let fetches = 0;
const publicKeys = forTests(() =>
  listenOnLoopback(
    createServer((_, response) => {
      fetches += 1;
      const keys = Object.entries(listed).map(([identifier, key]) => {
        return { key_identifier: identifier, key, is_current: true };
      });
      response.end(JSON.stringify({ public_keys: keys }));
    }),
  ),
);
const toPem = ({ publicKey }: typeof pair) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

beforeEach(() => {
  listed = { ours: toPem(pair), large: toPem(otherCurve) };
  fetches = 0;
});

async function open(leakedKeysUrl: string | null = null) {
  const dataDir = makeTestFolder();
  const clock = createFakeClock();
  const database = await openTestDatabase({ dataDir, now: clock.now });
  const toHash = createKeyHasher(loadPepper({ keyPepper: null, dataDir }));
  const log = createTestLog();
  const settings = {
    keys: { pepper: null, previousPepper: null, leakedKeysUrl },
    storage: { dataDir },
    trustProxy: 0,
  };
  return {
    database,
    log,
    register: createKeyRegister({ keys: database.keys, toHash, now: clock.now }),
    leaked: createLeakedKeys({ keys: database.keys, settings, uptime: clock.now, log }),
  };
}

function toReport(body: string, { identifier = 'ours', signer = pair, signed = body } = {}) {
  const signature = sign('sha256', Buffer.from(signed), signer.privateKey).toString('base64');
  const headers = {
    'github-public-key-identifier': identifier,
    'github-public-key-signature': signature,
  };
  return new Request('http://localhost/hooks/leaked-keys', { method: 'POST', headers, body });
}

function toRevocation(text: string) {
  const headers = { authorization: `Bearer ${text}` };
  return new Request('http://localhost/proxy/v1/key/revoke', { method: 'POST', headers });
}

test('a signed report revokes the keys in it, and says which texts were none', async () => {
  const services = await open(publicKeys.url);
  const { text, record } = await services.register.create(makeKeyInput());
  const stranger = makeKeyText();
  const body = JSON.stringify([
    { token: text, type: 'marquee', url: 'https://github.com/a/b/blob/c/d', source: 'content' },
    { token: stranger, type: 'marquee', url: '', source: 'commit' },
  ]);
  const toHash = (token: string) => createHash('sha256').update(token).digest('base64');
  for (const _ of ['first', 'again']) {
    const response = await services.leaked.respondToReport(toReport(body));
    expect(await response.json()).toEqual([
      { token_hash: toHash(text), token_type: 'marquee', label: 'true_positive' },
      { token_hash: toHash(stranger), token_type: 'marquee', label: 'false_positive' },
    ]);
  }
  expect((await services.register.find(record.id)).revokedAt).not.toBeNull();
  const entries = await readAuditLog(services.database);
  expect(entries.filter(({ target }) => target === record.id).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['key.leaked', 'key.created']),
  );
  expect(entries).toHaveLength(2);
  expect(services.log.text()).not.toContain(text);
});

test.each([
  ['another key signed it', { signer: generateKeyPairSync('ec', { namedCurve: 'P-256' }) }],
  ['other bytes were signed', { signed: '[{"token": "a", "type": "b"}]' }],
  ['the public key is not listed', { identifier: 'theirs' }],
  ['the public key is of another curve', { identifier: 'large', signer: otherCurve }],
])('a report is refused, and revokes nothing, where %s', async (_, options) => {
  const services = await open(publicKeys.url);
  const { text, record } = await services.register.create(makeKeyInput());
  const body = JSON.stringify([{ token: text, type: 'marquee' }]);
  const refused = services.leaked.respondToReport(toReport(body, options));
  await expect(refused).rejects.toMatchObject({ status: 401, reason: 'report_not_signed' });
  expect((await services.register.find(record.id)).revokedAt).toBeNull();
});

test('a report without a signature, or of another form, is refused', async () => {
  const services = await open(publicKeys.url);
  const request = new Request('http://localhost/hooks/leaked-keys', { method: 'POST', body: '[]' });
  await expect(services.leaked.respondToReport(request)).rejects.toMatchObject({ status: 401 });
  for (const body of ['[]', '{}', 'no JSON', '[{"token": 1, "type": "a"}]']) {
    const refused = services.leaked.respondToReport(toReport(body));
    await expect(refused).rejects.toMatchObject({ status: 400 });
  }
});

test('made-up identifiers do not make the server fetch the list again and again', async () => {
  const services = await open(publicKeys.url);
  for (const identifier of ['one', 'two', 'three']) {
    const refused = services.leaked.respondToReport(toReport('[]', { identifier }));
    await expect(refused).rejects.toMatchObject({ status: 401 });
  }
  expect(fetches).toBe(1);
});

test('public keys that cannot be read are an error of ours, and of no other', async () => {
  const services = await open('http://127.0.0.1:1/');
  const refused = services.leaked.respondToReport(toReport('[]'));
  await expect(refused).rejects.toMatchObject({ status: 502, reason: 'public_keys_unreadable' });
});

test('a key revokes itself, twice', async () => {
  const services = await open();
  const { text, record } = await services.register.create(makeKeyInput());
  for (const _ of ['first', 'again']) {
    const response = await services.leaked.revokeItself(toRevocation(text));
    expect([response.status, await response.json()]).toEqual([200, { revoked: true }]);
  }
  expect(await readAuditLog(services.database, { action: 'key.given-up' })).toMatchObject([
    { target: record.id, actor: null },
  ]);
});

test('a text that is no key revokes none', async () => {
  const services = await open();
  for (const text of [makeKeyText(), 'mq_short', '']) {
    const refused = services.leaked.revokeItself(toRevocation(text));
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  }
});
