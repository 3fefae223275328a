import { expect, test } from 'vitest';
import { setUpModels, type TestModel } from '../../support/servers/set-up-models.ts';

/** How vectors are written: OpenAI’s libraries ask for base64 by themselves, the AI SDK asks for numbers. */

type Rejection = Readonly<{ status: number; body: object }>;

const addModel = setUpModels();
const numbers = [1, -2];
const base64 = 'AACAPwAAAMA=';

/** A server that has only its own encoding, and rejects requests that name any. */
function addServer(rejection: Rejection, own: unknown = numbers) {
  const reply = { data: [{ index: 0, embedding: own }], usage: { prompt_tokens: 1 } };
  return addModel('embeddings', (request) =>
    'encoding_format' in request ? rejection : JSON.stringify(reply),
  );
}

async function embed(model: TestModel, format?: 'float' | 'base64') {
  const { data } = await model.openai().embeddings.create({
    model: model.name,
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
  const model = addServer(rejection);
  expect(await embed(model)).toEqual(numbers);
  expect(await embed(model)).toEqual(numbers);
  expect(model.requests.map((request) => 'encoding_format' in request)).toEqual([
    true,
    false,
    false,
  ]);
});

test.each<[report: string, rejection: Rejection]>([
  [
    'cherry-studio 14111',
    { status: 400, body: { errorCode: 'PROXY_READ_ERROR', statusCode: 400 } },
  ],
  ['mem0 4057 and honcho 932', { status: 200, body: { object: 'list', data: [] } }],
  ['an error in a 200', { status: 200, body: error('Provider returned error', { code: 400 }) }],
])('%s: where nothing says why, it is tried for each request', async (_, rejection) => {
  const model = addServer(rejection);
  expect(await embed(model)).toEqual(numbers);
  expect(await embed(model)).toEqual(numbers);
  expect(model.requests.map((request) => 'encoding_format' in request)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('gbrain 735: a server that takes only base64 gives numbers, too', async () => {
  const message = "Value 'float' supplied for argument 'encoding_format' is not valid.";
  const model = addServer({ status: 400, body: { detail: message } }, base64);
  expect(await embed(model, 'float')).toEqual(numbers);
});

const wrong = { status: 400, body: error('Invalid dimensions.') };

test('a request that is wrong is a 400, also without an encoding', async () => {
  const model = addModel('embeddings', () => wrong);
  await expect(embed(model)).rejects.toMatchObject({ status: 400 });
  expect(model.requests).toHaveLength(2);
});

test('a request without an encoding is sent once', async () => {
  const model = addModel('embeddings', () => wrong);
  expect((await model.send('/proxy/v1/embeddings', { input: 'Hello' })).status).toBe(400);
  expect(model.requests).toHaveLength(1);
});
