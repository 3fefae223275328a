import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { postJson } from '../../../support/clients/post-json.ts';
import { chatPath, toRequestJson } from '../../../support/servers/in-process-proxy.ts';
import { type ProxyServer, startProxyServer } from '../../../support/servers/proxy-server.ts';
import { examineChatStream } from '../../../support/upstreams/chat-stream.ts';

async function sumRecords({ dataDir, keyId }: ProxyServer) {
  const database = await openDatabase({ databaseUrl: null, dataDir });
  const sums = await database.usage.sumByDayAndModel(keyId, '2000-01-01');
  await database.close();
  return Object.fromEntries(sums.map(({ model, requests }) => [model, requests]));
}

async function read(server: ProxyServer, model: string, isStream: boolean): Promise<string> {
  const body = toRequestJson(chatPath, model, isStream, 'count to 20');
  return (await postJson(server.url + chatPath, server.key, body)).text();
}

test('SIGTERM lets streams finish, ends hanging requests, and loses no usage record', async () => {
  await using server = await startProxyServer({ environment: { SHUTDOWN_SECONDS: '5' } });
  const openRequests = () => server.modelServer.stats().openRequests;
  const repeat = <T>(send: () => Promise<T>) => Array.from({ length: 5 }, send);

  const done = await Promise.all(repeat(() => read(server, 'lantern-demo/wick-3', false)));
  const hanging = repeat(() => read(server, 'fault/hang-mid-stream', true));
  const silent = repeat(() => read(server, 'fault/hang', false));
  await expect.poll(openRequests).toBe(10);
  const slow = repeat(() => read(server, 'fault/pace:40', true));
  await expect.poll(openRequests).toBe(15);

  const exitCode = await server.terminate();

  expect(exitCode).toBe(0);
  expect(done.every((text) => JSON.parse(text).usage.total_tokens > 0)).toBe(true);
  for (const text of await Promise.all(slow)) {
    expect(examineChatStream(text)).toMatchObject({ problems: [], error: null });
  }
  for (const text of await Promise.all(hanging)) {
    expect(examineChatStream(text).error).toMatchObject({ type: 'server_error' });
  }
  for (const text of await Promise.all(silent)) {
    expect(JSON.parse(text).error.code).toBe('server_is_overloaded');
  }
  expect(await sumRecords(server)).toEqual({
    'lantern-demo/wick-3': 5,
    'fault/pace:40': 5,
    'fault/hang-mid-stream': 5,
    'fault/hang': 5,
  });
  expect(server.logText()).toMatch(/took too long/);
  expect(server.logText()).not.toMatch(/usage_not_stored|internal_error|Warning/);
});

test('shutdown does not wait for idle keep-alive connections', async () => {
  await using server = await startProxyServer();
  const text = read(server, 'fault/pace:50', true);
  await expect.poll(() => server.modelServer.stats().openRequests).toBe(1);

  expect(await server.terminate()).toBe(0);

  expect(server.logText()).not.toMatch(/took too long/);
  expect(examineChatStream(await text).error).toBe(null);
  expect(await sumRecords(server)).toEqual({ 'fault/pace:50': 1 });
});
