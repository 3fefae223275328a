import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { nativeModel, startRawProxy } from '../../support/servers/raw-proxy.ts';

/** How vectors are written: OpenAI’s libraries ask for base64 by themselves, the AI SDK asks for numbers. */

type RawProxy = Awaited<ReturnType<typeof startRawProxy>>;
type Rejection = Readonly<{ status: number; body: object }>;

const numbers = [1, -2];
const base64 = 'AACAPwAAAMA=';

const isNamed = (text: string) => JSON.parse(text).encoding_format !== undefined;

/** A server that has only its own encoding, and rejects requests that name any. */
function start({ status, body }: Rejection, own: unknown = numbers) {
  const reply = { data: [{ index: 0, embedding: own }], usage: { prompt_tokens: 1 } };
  return startRawProxy(
    ({ text }) =>
      isNamed(text)
        ? { status, text: JSON.stringify(body) }
        : { status: 200, text: JSON.stringify(reply) },
    { protocols: ['embeddings'] },
  );
}

async function embed({ url, key }: RawProxy, format?: 'float' | 'base64') {
  const client = new OpenAI({ baseURL: `${url}/proxy/v1`, apiKey: key, maxRetries: 0 });
  const { data } = await client.embeddings.create({
    model: nativeModel,
    input: 'Hello',
    ...(format && { encoding_format: format }),
  });
  return data[0]?.embedding;
}

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

test.each<[report: string, rejection: Rejection]>([
  [
    'vllm 5734',
    {
      status: 400,
      body: { object: 'error', message: 'base64 encoding is not currently supported' },
    },
  ],
  [
    'a validator of values',
    {
      status: 422,
      body: {
        detail: [
          {
            type: 'literal_error',
            loc: ['body', 'encoding_format'],
            msg: "Input should be 'float'",
          },
        ],
      },
    },
  ],
  [
    'a strict validator',
    {
      status: 422,
      body: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'encoding_format'],
            msg: 'Extra inputs are not permitted',
          },
        ],
      },
    },
  ],
])('%s: a server without base64 gets none, and is not asked again', async (_, rejection) => {
  await using proxy = await start(rejection);
  expect(await embed(proxy)).toEqual(numbers);
  expect(await embed(proxy)).toEqual(numbers);
  expect(proxy.requests.map(({ text }) => isNamed(text))).toEqual([true, false, false]);
});

test.each<[report: string, rejection: Rejection]>([
  [
    'cherry-studio 14111',
    { status: 400, body: { errorCode: 'PROXY_READ_ERROR', statusCode: 400 } },
  ],
  ['mem0 4057 and honcho 932', { status: 200, body: { object: 'list', data: [] } }],
  ['an error in a 200', { status: 200, body: error('Provider returned error', { code: 400 }) }],
])('%s: where nothing says why, it is tried for each request', async (_, rejection) => {
  await using proxy = await start(rejection);
  expect(await embed(proxy)).toEqual(numbers);
  expect(await embed(proxy)).toEqual(numbers);
  expect(proxy.requests.map(({ text }) => isNamed(text))).toEqual([true, false, true, false]);
});

test('gbrain 735: a server that takes only base64 gives numbers, too', async () => {
  const message = "Value 'float' supplied for argument 'encoding_format' is not valid.";
  await using proxy = await start({ status: 400, body: { detail: message } }, base64);
  expect(await embed(proxy, 'float')).toEqual(numbers);
});

test('a request that is wrong is a 400, also without an encoding', async () => {
  const rejection = { status: 400, text: JSON.stringify(error('Invalid dimensions.')) };
  await using proxy = await startRawProxy(() => rejection, { protocols: ['embeddings'] });
  await expect(embed(proxy)).rejects.toMatchObject({ status: 400 });
  expect(proxy.requests).toHaveLength(2);
});

test('a request without an encoding is sent once', async () => {
  const rejection = { status: 400, text: JSON.stringify(error('Invalid dimensions.')) };
  await using proxy = await startRawProxy(() => rejection, { protocols: ['embeddings'] });
  const response = await fetch(`${proxy.url}/proxy/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: nativeModel, input: 'Hello' }),
  });
  expect(response.status).toBe(400);
  expect(proxy.requests).toHaveLength(1);
});
