import { expect, test } from 'vitest';
import { toNativeBody } from '#lib/ai-proxy/protocols/messages/messages-request.ts';
import { setUpModels } from '../../support/servers/set-up-models.ts';
import { createMessagesRequest } from '../../support/upstreams/messages-request.ts';
import { unmarked } from '../../support/upstreams/unmarked.ts';

const addModel = setUpModels();
const text = 'The sky is blue [1], at night black [2].';
const sources = [
  { url: 'https://sky.example/day', title: 'Day' },
  { url: 'https://sky.example/night', title: 'Night' },
];
const head = { id: 'c', created: 1, model: 'm' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

type Delta = Readonly<{
  content?: string;
  annotations?: readonly object[];
  tool_calls?: readonly object[];
}>;

/** A reply whose pieces have these fields beside their choices. */
function toReply(deltas: readonly Delta[], more: object) {
  const content = deltas.map((delta) => delta.content ?? '').join('');
  const annotations = deltas.flatMap((delta) => delta.annotations ?? []);
  const message = { role: 'assistant', content, ...(annotations.length > 0 && { annotations }) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const chunks = [
    ...deltas.map((delta) => [{ index: 0, delta, finish_reason: null }]),
    [{ index: 0, delta: {}, finish_reason: 'stop' }],
  ].map((pieces) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: pieces,
    ...more,
  }));
  const last = { ...head, object: 'chat.completion.chunk', choices: [], usage };
  const frames = [...chunks, last].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return {
    json: JSON.stringify({ ...head, object: 'chat.completion', choices, usage, ...more }),
    stream: `${frames.join('')}data: [DONE]\n\n`,
  };
}

const halves = [{ content: text.slice(0, 20) }, { content: text.slice(20) }];
const toCitation = ({ url, title }: (typeof sources)[number], index: number) => ({
  type: 'url_citation',
  url_citation: {
    url,
    title,
    start_index: text.indexOf(`[${index + 1}]`),
    end_index: text.indexOf(`[${index + 1}]`) + 3,
    content: `It says ${title}.`,
  },
});
const annotations = sources.map(toCitation);
const urls = sources.map(({ url }) => url);

const kinds: [string, ReturnType<typeof toReply>, { title: boolean; quote: boolean }][] = [
  ['OpenRouter', toReply([...halves, { annotations }], {}), { title: true, quote: true }],
  [
    'Perplexity',
    toReply(halves, { citations: urls, search_results: sources }),
    { title: true, quote: false },
  ],
  ['Perplexity before', toReply(halves, { citations: urls }), { title: false, quote: false }],
];

const cases = kinds.flatMap(([kind, reply, has]) =>
  [false, true].map((stream) => [kind, { stream }, reply, has] as const),
);

test.each(cases)(
  'sources of %s are annotations in Responses: %j',
  async (_, { stream }, reply, has) => {
    const model = addModel('chat', () => (stream ? reply.stream : reply.json));
    const client = model.openai();
    const body = { model: model.name, input: 'Why?', store: false };
    const added: unknown[] = [];
    const response = stream
      ? await client.responses
          .stream(body)
          .on('response.output_text.annotation.added', ({ annotation_index, annotation }) =>
            added.push([annotation_index, annotation]),
          )
          .finalResponse()
      : await client.responses.create(body);

    const wanted = sources.map(({ url, title }, index) => ({
      type: 'url_citation',
      url,
      title: has.title ? title : '',
      start_index: text.indexOf(`[${index + 1}]`),
      end_index: text.indexOf(`[${index + 1}]`) + 3,
    }));
    expect(response.output).toMatchObject([{ content: [{ text, annotations: wanted }] }]);
    if (stream) expect(added).toEqual(wanted.map((annotation, index) => [index, annotation]));
  },
);

test.each(cases)(
  'sources of %s are citations in Messages: %j',
  async (_, { stream }, reply, has) => {
    const model = addModel('chat', () => (stream ? reply.stream : reply.json));
    const client = model.anthropic();
    const messages = [{ role: 'user' as const, content: 'Why?' }];
    const body = { model: model.name, max_tokens: 100, messages };
    const message = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);

    const citations = sources.map(({ url, title }) => ({
      type: 'web_search_result_location',
      url,
      title: has.title ? title : '',
      cited_text: has.quote ? `It says ${title}.` : '',
      encrypted_index: '',
    }));
    expect(message.content).toMatchObject([{ type: 'text', text, citations }]);
  },
);

test('sources that come after a call has followed their text are in the complete reply', async () => {
  const [source] = sources;
  const call = { index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } };
  const { stream, json } = toReply(
    [
      { content: 'Blue.' },
      { tool_calls: [call] },
      { annotations: [{ type: 'url_citation', ...source }] },
    ],
    {},
  );
  for (const reply of [stream, json]) {
    const model = addModel('chat', () => reply);
    const client = model.openai();
    const body = { model: model.name, input: 'Why?', store: false };
    const response =
      reply === stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
    const [message] = response.output;
    const annotations = [{ type: 'url_citation', url: source?.url }];
    expect(message).toMatchObject({ content: [{ text: 'Blue.', annotations }] });
  }
});

test('a source without a place, and one that is no web page', async () => {
  const [source] = sources;
  const { json } = toReply(
    [
      {
        content: 'Blue.',
        annotations: [
          { type: 'url_citation', ...source },
          { type: 'url_citation', url: 'javascript:alert(1)' },
          { type: 'file', file: {} },
        ],
      },
    ],
    {},
  );
  const model = addModel('chat', () => json);
  const { body } = await model.send('/proxy/v1/responses', { input: 'Why?' });
  expect(body.output[0].content[0].annotations).toEqual([
    { type: 'url_citation', ...source, start_index: 5, end_index: 5 },
  ]);
});

test('citations of a translated reply do not go to Anthropic, which cannot find them', () => {
  const citation = { type: 'web_search_result_location', encrypted_index: '' };
  const own = { type: 'web_search_result_location', encrypted_index: 'abc' };
  const block = { type: 'text', text: 'Blue.' };
  const content = [
    { ...block, citations: [citation] },
    { ...block, citations: [citation, own] },
  ];
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
  ];
  const body = toNativeBody(createMessagesRequest({ messages }), {
    model: 'm',
    outputTokensMax: null,
    reasoning: unmarked,
    quirks: new Map(),
  });
  expect(JSON.parse(body).messages[1].content).toEqual([block, { ...block, citations: [own] }]);
});
