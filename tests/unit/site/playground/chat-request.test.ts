import { expect, test } from 'vitest';
import { toRequestBody } from '#lib/site/playground/chat-request.ts';

const picture = 'data:image/jpeg;base64,AAAA';
const turns = [{ role: 'user', content: 'What is it?', pictures: [picture] }] as const;
const settings = { system: 'Be short.', temperature: 0.5, replyTokensMax: 100 } as const;

test('each API gets pictures and settings in its own fields', () => {
  const request = { model: 'm', turns, ...settings };
  expect(toRequestBody({ api: 'responses', ...request })).toEqual({
    model: 'm',
    instructions: 'Be short.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: picture },
          { type: 'input_text', text: 'What is it?' },
        ],
      },
    ],
    temperature: 0.5,
    max_output_tokens: 100,
    stream: true,
  });
  expect(toRequestBody({ api: 'chat', ...request })).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'Be short.' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: picture } },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ],
    temperature: 0.5,
    max_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
  });
  const source = { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' };
  expect(toRequestBody({ api: 'messages', ...request })).toEqual({
    model: 'm',
    max_tokens: 100,
    system: 'Be short.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ],
    temperature: 0.5,
    stream: true,
  });
});

test('a picture needs no text, and without settings there are no fields for them', () => {
  const [content] = [{ role: 'user', content: '', pictures: [picture] }] as const;
  expect(toRequestBody({ api: 'responses', model: 'm', turns: [content] })).toEqual({
    model: 'm',
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: picture }] }],
    stream: true,
  });
});
