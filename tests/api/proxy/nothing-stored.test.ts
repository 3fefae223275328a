import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  chatPath,
  messagesPath,
  responsesPath,
  startInProcessProxy,
  toRequestJson,
} from '../../support/servers/in-process-proxy.ts';

const canary = 'canary-of-the-prompt-7f3a';
const model = 'lantern-demo/wick-3-mini';

/** Files that contain one of these texts. SQLite stores texts as they are. */
function findFilesWith(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => texts.some((text) => readFileSync(path).includes(text)));
}

// ASVS 16.2.3
test('no prompt and no reply is in any file of DATA_DIR, nor in the log, whatever becomes of a request', async () => {
  await using proxy = await startInProcessProxy({
    environment: { LOG_REQUESTS: 'all', PROXY_BODY_BYTES_MAX: '65536' },
  });
  const { text: key } = await proxy.makeKey({ name: 'stored-name' });
  const { text: limited } = await proxy.makeKey({ tokensPerDay: 1 });
  const prompt = `count to 30, ${canary}`;
  const send = async (path: string, name = model, isStream = false, text = key) => {
    const response = await proxy.post(path, text, toRequestJson(path, name, isStream, prompt));
    return { status: response.status, body: await response.text() };
  };

  const reply = JSON.parse((await send(chatPath)).body).choices[0].message.content;
  const texts = [canary, reply.slice(0, 40)];
  for (const path of [chatPath, responsesPath, messagesPath]) {
    expect((await send(path)).status).toBe(200);
    expect((await send(path, model, true)).status).toBe(200);
    expect((await send(path, 'unknown/model')).status).toBe(404);
    await send(path, 'fault/cut', true);
    expect((await send(path, model, false, limited)).status).toBe(402);
    expect((await proxy.post(path, key, `{"${canary}": `)).status).toBe(400);
    expect((await proxy.post(path, key, canary.repeat(10_000))).status).toBe(413);
  }
  const embeddings = { model: 'lantern-demo/embed-1', input: canary };
  await (await proxy.post('/proxy/v1/embeddings', key, embeddings)).text();
  // One under way has a record, too.
  const abort = new AbortController();
  const hanging = await proxy.post(
    chatPath,
    key,
    toRequestJson(chatPath, 'fault/hang-mid-stream', true, prompt),
    { signal: abort.signal },
  );
  expect(hanging.status).toBe(200);
  expect(findFilesWith(proxy.dataDir, texts)).toEqual([]);
  abort.abort();

  await proxy.services.aiProxy.close();
  expect(findFilesWith(proxy.dataDir, texts)).toEqual([]);
  for (const text of texts) expect(proxy.logText()).not.toContain(text);
  // The search finds what is stored.
  expect(findFilesWith(proxy.dataDir, ['stored-name'])).not.toEqual([]);
});
