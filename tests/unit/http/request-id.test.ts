import { expect, test } from 'vitest';
import {
  chatPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';

const ordinary = [
  '0198f0c2-5d3e-7a10-b1f0-3c5d9e8a7b6c',
  'task-0123456789abcdef',
  'checkout.42-retry_3',
];
const keys = [
  'sk-proj-0123456789abcdefghij',
  'request-sk-ant-api03-0123456789abcdef',
  'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
  'github_pat_0123456789abcdefghij',
  'AKIAIOSFODNN7EXAMPLE',
  'AIzaSyA0123456789abcdefghijklmnopqrstuv',
  'xoxb-012345678901-abcdefghijkl',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
];

test('a request id that looks like a key is replaced, and neither logged nor stored', async () => {
  await using proxy = await startInProcessProxy();
  const read = async (id: string) => {
    const body = toRequestJson(chatPath, 'lantern-demo/wick-3-mini');
    const headers = {
      authorization: `Bearer ${proxy.key}`,
      'content-type': 'application/json',
      'x-request-id': id,
    };
    const response = await proxy.post(chatPath, proxy.key, body, { headers });
    await response.text();
    return response.headers.get('x-request-id');
  };
  for (const id of ordinary) expect(await read(id)).toBe(id);
  const given = [...keys, proxy.key];
  for (const id of given) expect(await read(id)).toMatch(/^[0-9a-f-]{36}$/);

  const rows = await proxy.database.run((db) =>
    db.selectFrom('marquee_usage').select('request_id').execute(),
  );
  const kept = rows.map((row) => row.request_id);
  expect(kept).toEqual(expect.arrayContaining(ordinary));
  for (const id of given) {
    expect(kept).not.toContain(id);
    expect(proxy.logText()).not.toContain(id);
  }
});
