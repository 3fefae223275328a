import { expect, test } from 'vitest';
import { chatPath } from '../../support/servers/in-process-proxy.ts';
import { chatModel, startRawProxy } from '../../support/servers/raw-proxy.ts';

const bytes = 4_000_000;
const reply = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
});

/** A request of nearly 4 MB. */
function toRequest(content: string, more = ''): string {
  const text = `{"model":"${chatModel}","messages":[{"role":"user","content":"${content}"}]${more}}`;
  return text.replace('{', `{${' '.repeat(bytes - text.length)}`);
}

const fill = (value: string, times: number) => Array.from({ length: times }, () => value).join(',');

test('the request with the most values costs at most four times one with a text of its size', async () => {
  await using proxy = await startRawProxy(() => reply);
  const measure = async (request: string) => {
    const times: number[] = [];
    for (let run = 0; run < 4; run++) {
      const start = process.threadCpuUsage();
      expect(JSON.parse(await proxy.send(chatPath, request))).toHaveProperty('choices');
      const { user, system } = process.threadCpuUsage(start);
      times.push(user + system);
    }
    return Math.min(...times);
  };
  const text = await measure(toRequest('x '.repeat(bytes / 2 - 100)));
  const worst = {
    numbers: `[${fill('1.0', 59_900)}]`,
    objects: `[1.0,${fill('{}', 59_900)}]`,
    'objects with numbers': `[${fill('{"a":1.0}', 19_900)}]`,
  };
  for (const [kind, values] of Object.entries(worst)) {
    const ratio = (await measure(toRequest('x', `,"x":${values}`))) / text;
    expect(ratio, kind).toBeLessThan(4);
  }
});

test('one number more than 60,000 values is a 400, whatever the numbers are', async () => {
  await using proxy = await startRawProxy(() => reply);
  for (const number of ['1', '1.0', 'null']) {
    const request = toRequest('x', `,"x":[${fill(number, 60_000)}]`);
    expect(JSON.parse(await proxy.send(chatPath, request))).toMatchObject({
      error: { message: expect.stringContaining('more than 60000 values') },
    });
  }
  expect(proxy.requests).toEqual([]);
});
