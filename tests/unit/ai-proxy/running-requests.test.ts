import { expect, test } from 'vitest';
import type { UpstreamsSettings } from '#lib/config/upstreams-schema.ts';
import { makeKeyInput } from '../../support/factories/key-services.ts';
import { makeKeyOwner, makeMember } from '../../support/factories/member-factory.ts';
import { makeUpstreamSettings } from '../../support/factories/upstream-settings.ts';
import { findBalance } from '../../support/find-balance.ts';
import {
  type BilledProxy,
  startBilledProxy,
  toUpstreamsFile,
} from '../../support/servers/billed-proxy.ts';
import { chatPath, messagesPath, responsesPath } from '../../support/servers/in-process-proxy.ts';
import { type Script, toPricing } from '../../support/upstreams/billing-upstream.ts';

/** Keys and members are checked every two seconds. */
const pricing = toPricing(1, 2);
const counts = { input: 100, output: 60 };
const held = (): Script => ({ reply: { counts }, outcome: 'held' });
const paths = { chat: chatPath, responses: responsesPath, messages: messagesPath } as const;
type Format = keyof typeof paths;
const formats: readonly Format[] = ['chat', 'responses', 'messages'];
const own = (format: Format) => `bill/${format}`;

function toBody(format: Format, fields: object = {}): object {
  const content = 'abc '.repeat(100);
  const prompt =
    format === 'responses' ? { input: content } : { messages: [{ role: 'user', content }] };
  return { model: own(format), stream: true, ...prompt, ...fields, ...limits[format] };
}

const limits = { chat: {}, responses: {}, messages: { max_tokens: 1000 } } as const;

const errorEvents: Readonly<Record<Format, RegExp>> = {
  chat: /data: \{"error":\{.*\n\ndata: \[DONE\]\n\n$/,
  responses: /event: error\n.*event: response\.failed\n/s,
  messages: /event: error\ndata: \{.*\n\n$/,
};

const startHeld = () =>
  startBilledProxy({
    models: Object.fromEntries(formats.map((format) => [own(format), { pricing }])),
    toScript: held,
  });

/** Starts a stream; its text once it has ended. */
async function startStream(
  { proxy, upstream }: BilledProxy,
  key: string,
  format: Format,
): Promise<() => Promise<string>> {
  const response = await proxy.post(paths[format], key, toBody(format));
  await upstream.reached(own(format));
  const text = response.text();
  return () => text;
}

type StopKey = (
  billed: BilledProxy,
  key: Readonly<{ id: string; name: string }>,
) => Promise<unknown>;

const stops: readonly (readonly [string, StopKey])[] = [
  ['a revoked key', ({ proxy }, { id }) => proxy.register.revoke(id)],
  ['a disabled member', ({ proxy }) => proxy.database.members.setDisabled('mbr_ada', true)],
  ['a deleted member', ({ proxy }) => proxy.database.members.remove('mbr_ada', 'hash of mbr_ada')],
];

test.each(stops)('streams of %s end with an error event, and are charged', async (_, stop) => {
  await using billed = await startHeld();
  await billed.proxy.database.members.save(makeMember());
  const key = await billed.proxy.register.create(makeKeyInput({ name: 'hers' }), makeKeyOwner());
  const streams = await Promise.all(formats.map((format) => startStream(billed, key.text, format)));

  await stop(billed, key.record);
  const texts = await Promise.all(streams.map((text) => text()));

  await expect.poll(() => billed.upstream.open()).toBe(0);
  for (const format of formats) billed.upstream.release(own(format));
  for (const [index, format] of formats.entries()) {
    expect(texts[index]).toMatch(errorEvents[format]);
  }
  await expect.poll(() => billed.sumUsage(key.record.id).records).toBe(formats.length);
  const charge = billed.sumUsage(key.record.id);
  expect(charge.tokens).toBeGreaterThanOrEqual(billed.upstream.totalTokens());
  expect(charge.nanoUsd).toBeGreaterThanOrEqual(Math.round(billed.upstream.totalUsd() * 1e9));
});

test('a stream is charged to the group that its member had when it began, later requests to the new one', async () => {
  await using billed = await startHeld();
  const { database, register } = billed.proxy;
  for (const name of ['before', 'after']) await database.groups.create(name, null);
  await database.members.save(makeMember());
  await database.members.setGroup('mbr_ada', 'before');
  const key = await register.create(makeKeyInput({ name: 'hers' }), makeKeyOwner());
  const sumOf = async (group: string) =>
    (await findBalance(database, `group:${group}`, new Date().toISOString().slice(0, 7))).tokens;
  const text = await startStream(billed, key.text, 'chat');

  await database.members.setGroup('mbr_ada', 'after');
  billed.upstream.release(own('chat'));
  expect(await text()).toContain('[DONE]');

  await expect.poll(() => sumOf('before')).toBe(160);
  expect(await sumOf('after')).toBe(0);
  // The key is read again within five seconds.
  await expect
    .poll(async () => {
      const response = billed.proxy.post(chatPath, key.text, toBody('chat'));
      await billed.upstream.reached(own('chat'));
      billed.upstream.release(own('chat'));
      await (await response).bytes();
      return sumOf('after');
    })
    .toBeGreaterThan(0);
  expect((await sumOf('before')) % 160).toBe(0);
});

test('a stream whose key is revoked before its first byte ends, and its prompt is charged', async () => {
  await using billed = await startBilledProxy({
    models: { [own('chat')]: { pricing } },
    toScript: () => ({ reply: { counts }, waitMs: 30_000 }),
  });
  const key = await billed.proxy.makeKey();
  const response = billed.proxy.post(chatPath, key.text, toBody('chat'));
  await expect.poll(() => billed.upstream.requests.length).toBe(1);

  await billed.proxy.register.revoke(key.record.id);

  expect((await response).status).toBe(401);
  await expect.poll(() => billed.sumUsage(key.record.id).tokens).toBeGreaterThanOrEqual(100);
});

function toSettings(origin: string, prices: object | null): UpstreamsSettings {
  const protocols = ['chat', 'responses', 'messages'] as const;
  const upstream = makeUpstreamSettings('bill', `${origin}/v1`, { key: 'sk-bill', protocols });
  const model = { id: own('chat'), targets: [{ upstream: 'bill' }], aliases: [], prices };
  return { upstreams: [upstream], models: prices === null ? [] : [model] } as never;
}

test.each([
  ['a price that rises', { inputPerMillion: 100, outputPerMillion: 200, perRequest: 1 }],
  ['a price that falls', { inputPerMillion: 0, outputPerMillion: 0, perRequest: 0 }],
  ['a model that goes', null],
])('%s in mid-reply does not change the charge', async (_, prices) => {
  for (const stream of [true, false]) {
    await using billed = await startBilledProxy({
      // Only the file has prices.
      models: { [own('chat')]: {} },
      toScript: held,
      toFile: (origin) => ({
        ...toUpstreamsFile(origin),
        models: [
          {
            id: own('chat'),
            targets: [{ upstream: 'bill' }],
            prices: { inputPerMillion: 1, outputPerMillion: 2 },
          },
        ],
      }),
    });
    const { proxy, upstream } = billed;
    const key = await proxy.makeKey();
    const response = proxy.post(chatPath, key.text, { ...toBody('chat'), stream });
    await upstream.reached(own('chat'));

    proxy.services.aiProxy.replaceUpstreams(toSettings(upstream.origin, prices));
    upstream.release(own('chat'));
    await (await response).bytes();

    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(1);
    expect(await billed.chargeOf(key)).toMatchObject({ tokens: 160, nanoUsd: 220_000 });
  }
});

test('after a late first byte the next target serves, and both are charged', async () => {
  for (const stream of [true, false]) {
    const late = { reply: { counts: { input: 100, output: 90 } }, waitMs: 500 };
    await using billed = await startBilledProxy({
      models: { 'late/m': { pricing }, 'quick/m': { pricing } },
      toScript: ({ model }) => (model === 'late/m' ? late : { reply: { counts } }),
      toFile: (origin) => ({
        upstreams: ['late', 'quick'].map((name) => ({
          name,
          url: `${origin}/${name}/v1`,
          keyEnv: 'UPSTREAM_KEY',
          protocols: ['chat'],
          timeoutSeconds: { firstByte: name === 'late' ? 0.2 : 20 },
        })),
        models: [
          {
            id: own('chat'),
            targets: ['late', 'quick'].map((name) => ({ upstream: name, model: `${name}/m` })),
            prices: { inputPerMillion: 1, outputPerMillion: 2 },
          },
        ],
      }),
    });
    const { proxy, upstream } = billed;
    const key = await proxy.makeKey();

    const response = await proxy.post(chatPath, key.text, { ...toBody('chat'), stream });

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('abc');
    await expect.poll(() => upstream.bill.length).toBe(2);
    // A stream is aborted, and its prompt is an estimate.
    const slack = stream ? 1.05 : 1;
    const billedTokens = upstream.totalTokens();
    await expect.poll(async () => (await billed.chargeOf(key)).records).toBe(2);
    const { tokens, nanoUsd } = await billed.chargeOf(key);
    expect(tokens).toBeGreaterThanOrEqual(billedTokens);
    expect(tokens).toBeLessThanOrEqual(billedTokens * slack);
    const billedNanoUsd = Math.round(upstream.totalUsd() * 1e9);
    expect(nanoUsd).toBeGreaterThanOrEqual(billedNanoUsd);
    expect(nanoUsd).toBeLessThanOrEqual(billedNanoUsd * slack);
  }
});

test('a stream that is silent, as a model that reasons out of sight, ends when its budget may be used up', async () => {
  await using billed = await startHeld();
  const key = await billed.proxy.makeKey({ tokensPerDay: 700 });
  const text = await startStream(billed, key.text, 'chat');

  expect(await text()).toContain('"finish_reason":"length"');

  billed.upstream.release(own('chat'));
  await expect.poll(() => billed.sumUsage(key.record.id).records).toBe(1);
  const { tokens } = billed.sumUsage(key.record.id);
  expect(tokens).toBeGreaterThan(500);
  expect(tokens).toBeLessThanOrEqual(900);
});
