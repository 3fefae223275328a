import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createCreditReader } from '#lib/ai-proxy/upstreams/credit.ts';
import type { UpstreamSettings } from '#lib/config/upstreams-schema.ts';
import { makeUpstreamSettings } from '../../../support/factories/upstream-settings.ts';
import { listenOnLoopback } from '../../../support/servers/loopback-server.ts';

const path = 'data.left';

/** What is read from a service that answers so. */
async function readFrom(
  answer: RequestListener,
  more: Partial<Exclude<UpstreamSettings['credit'], false>> = {},
) {
  await using service = await listenOnLoopback(createServer(answer));
  const credit = { url: `${service.url}/credits`, path, ...more };
  const settings = { ...makeUpstreamSettings('north', `${service.url}/v1`), credit };
  const reader = createCreditReader(settings, () => 7);
  await reader?.read(0);
  return reader?.peek();
}

const answerWith =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

test.each([
  [{ data: { left: 12.5 } }, {}, 12.5],
  // As DeepSeek writes it.
  [{ infos: [{ currency: 'USD', balance: '110.00' }] }, { path: 'infos.0.balance' }, 110],
  // As OpenRouter does.
  [
    { data: { total_credits: 5, total_usage: 7.25 } },
    { path: 'data.total_credits', usedPath: 'data.total_usage' },
    -2.25,
  ],
  [{ data: { left: 0 } }, {}, 0],
])('of %j with %j, %d is left', async (body, more, left) => {
  expect(await readFrom(answerWith(body), more)).toEqual({
    left,
    problem: null,
    readAtMs: 7,
    alertBelow: 5,
  });
});

test.each([
  ['a huge number', { data: { left: 1e300 } }],
  ['a text', { data: { left: 'secret of the upstream' } }],
  ['a text that begins with a number', { data: { left: '12; drop' } }],
  ['null', { data: { left: null } }],
  ['a truth', { data: { left: true } }],
  ['a list', { data: { left: [1] } }],
  ['nothing', {}],
  ['a page', '<html>secret of the upstream'],
  ['more than a credit has', `{"data":{"left":1,"x":"${'x'.repeat(70_000)}"}}`],
])('an answer with %s is no credit, and is not repeated', async (_, body) => {
  const credit = await readFrom(answerWith(body));
  expect(credit).toMatchObject({ left: null, problem: 'its answer has no such number' });
});

test('a part of an amount that is missing does not count as zero', async () => {
  const more = { path: 'data.total_credits', usedPath: 'data.total_usage' };
  expect(await readFrom(answerWith({ data: { total_credits: 5 } }), more)).toMatchObject({
    left: null,
  });
});

test('names of objects lead nowhere', async () => {
  for (const path of ['__proto__.length', 'constructor.length', 'data.length']) {
    expect(await readFrom(answerWith({ data: {} }), { path }), path).toMatchObject({ left: null });
  }
});

test('another host that a service redirects to gets no request', async () => {
  let requests = 0;
  await using other = await listenOnLoopback(
    createServer((request, response) => {
      requests += 1;
      answerWith({ data: { left: 1 } })(request, response);
    }),
  );
  const credit = await readFrom((_, response) =>
    response.writeHead(302, { location: `${other.url}/credits` }).end(),
  );
  expect(credit).toMatchObject({ left: null, problem: 'it answered 302' });
  expect(requests).toBe(0);
});

test('an error tells its status alone, and a service that is away that it is', async () => {
  const credit = await readFrom(answerWith('secret of the upstream', 403));
  expect(credit).toMatchObject({ left: null, problem: 'it answered 403' });
  expect(await readFrom((request) => request.socket.destroy())).toMatchObject({
    left: null,
    problem: 'it cannot be reached',
  });
});

test('the key of the upstream is sent, and within a time only once', async () => {
  const keys: unknown[] = [];
  await using service = await listenOnLoopback(
    createServer((request, response) => {
      keys.push(request.headers.authorization);
      answerWith({ data: { left: 3 } })(request, response);
    }),
  );
  const settings = makeUpstreamSettings('north', `${service.url}/v1`);
  const credit = { url: `${service.url}/credits`, path, alertBelow: 2 };
  let now = 0;
  const reader = createCreditReader({ ...settings, credit }, () => now);
  expect(reader?.peek()).toBeNull();
  await Promise.all([reader?.read(60_000), reader?.read(60_000)]);
  now = 59_999;
  await reader?.read(60_000);
  expect(keys).toEqual([`Bearer ${settings.key}`]);
  now = 60_000;
  await reader?.read(60_000);
  expect(keys).toHaveLength(2);
  expect(reader?.peek()).toMatchObject({ left: 3, alertBelow: 2 });
});

test('only OpenRouter is asked without a setting, and not where the setting is false', () => {
  const openRouter = makeUpstreamSettings('north', 'https://openrouter.ai/api/v1');
  expect(createCreditReader(openRouter, Date.now)).not.toBeNull();
  expect(createCreditReader({ ...openRouter, credit: false }, Date.now)).toBeNull();
  const other = makeUpstreamSettings('north', 'https://openrouter.ai.example/api/v1');
  expect(createCreditReader(other, Date.now)).toBeNull();
});
