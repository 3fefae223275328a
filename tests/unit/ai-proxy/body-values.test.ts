import { expect, test } from 'vitest';
import { chatPath } from '../../support/servers/in-process-proxy.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';

const bytes = 4_000_000;
const addModel = setUpModels();

/** A request of nearly 4 MB. */
function toRequest(content: string, more = ''): string {
  const text = `"messages":[{"role":"user","content":"${content}"}]${more}}`;
  return `{${' '.repeat(bytes - text.length)}${text}`;
}

const fill = (value: string, times: number) => Array.from({ length: times }, () => value).join(',');

test('the request with the most values costs at most four times one with a text of its size', async () => {
  const model = addModel('chat', () => null);
  const measure = async (request: string) => {
    const times: number[] = [];
    for (let run = 0; run < 4; run++) {
      const start = process.threadCpuUsage();
      expect(await model.send(chatPath, request)).toMatchObject({ status: 200 });
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
  const model = addModel('chat', () => null);
  for (const number of ['1', '1.0', 'null']) {
    const request = toRequest('x', `,"x":[${fill(number, 60_000)}]`);
    expect(await model.send(chatPath, request)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('more than 60000 values') } },
    });
  }
  expect(model.requests).toEqual([]);
});
