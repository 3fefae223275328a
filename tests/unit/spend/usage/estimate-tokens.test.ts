import { expect, test } from 'vitest';
import { estimateContentTokens, estimateRequest } from '#lib/spend/usage/estimate-tokens.ts';

const text = 'words of a prompt '.repeat(1000);
const tokensOfText = 4500;
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

test.each<[string, object]>([
  ['a message', user(text)],
  ['a part', user([{ type: 'text', text }])],
  ['a part that says to be a file', user([{ type: 'file', file: { file_data: text } }])],
  ['a part that says to be an image', user([{ type: 'image_url', image_url: { url: text } }])],
  [
    'text beside an image',
    user([{ type: 'image', text, source: { type: 'base64', data: 'AAAA' } }]),
  ],
  [
    'a plain text document',
    user([{ type: 'document', source: { type: 'text', data: 'a'.repeat(18_000) } }]),
  ],
  [
    'the result of a tool',
    { input: [{ type: 'function_call_output', call_id: 'a', output: text }] },
  ],
  ['a type that nobody knows', { input: [{ type: 'program', code: { lines: [text] } }] }],
  ['instructions', { instructions: text }],
  ['a field that nobody knows', { extra: { deep: [text] } }],
  ['a schema', { tools: [{ type: 'function', function: { parameters: { description: text } } }] }],
  ['names in a schema', { tools: [{ type: 'function', parameters: { [text]: 1 } }] }],
  ['values of a schema', { tools: [{ parameters: { enum: Array(3600).fill(true) } }] }],
  ['the schema of a reply', { text: { format: { schema: { enum: Array(6000).fill([]) } } } }],
  ['names in the input of a call', user([{ type: 'tool_use', input: { [text]: 1 } }])],
  [
    'numbers in the input of a call',
    user([{ type: 'tool_use', input: { a: Array(9000).fill(0) } }]),
  ],
  [
    'a data URL in the input of a call',
    user([{ type: 'tool_use', input: { url: `data:image/png;base64,${'A'.repeat(18_000)}` } }]),
  ],
  ['a name in the action of a shell', { input: [{ action: { [text]: 'x' } }] }],
  [
    'names in the environment of a shell',
    {
      input: [
        {
          action: { env: Object.fromEntries(Array.from(Array(1637), (_, at) => [`N${at}`, 'x'])) },
        },
      ],
    },
  ],
  ['a prediction', { prediction: { type: 'content', content: text } }],
  ['a data URL that is text', user(`data:image/png;base64,${text}`)],
  [
    'a data URL in a schema',
    {
      tools: [{ parameters: { default: { url: `data:image/png;base64,${'A'.repeat(18_000)}` } } }],
    },
  ],
])('every text counts: %s', (_, body) => {
  expect(estimateRequest({ model: 'm', ...body }).tokens).toBeGreaterThanOrEqual(tokensOfText);
  expect(estimateRequest({ model: 'm', ...body }).tokens).toBeLessThan(tokensOfText + 1700);
});

function toPng(width: number, height: number, bytes = 60): string {
  const head = Buffer.alloc(bytes);
  head.write('\x89PNG\r\n\x1a\n', 'latin1');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head.toString('base64');
}

test.each<[string, object, number]>([
  ['a small image', { image_url: { url: `data:image/png;base64,${toPng(300, 300)}` } }, 120],
  ['a large image', { image_url: { url: `data:image/png;base64,${toPng(4000, 4000)}` } }, 1600],
  ['an image of unknown size', { image_url: { url: 'data:image/webp;base64,UklGRg==' } }, 1600],
  [
    'an image in low detail',
    { image_url: `data:image/png;base64,${toPng(4000, 4000)}`, detail: 'low' },
    85,
  ],
  ['an image at a URL', { image_url: { url: 'https://pictures.example/a.png' } }, 1600],
  [
    'a source of Messages',
    { source: { type: 'base64', media_type: 'image/png', data: toPng(300, 300) } },
    120,
  ],
  ['a file at a URL', { file_url: 'https://files.example/a.pdf' }, 10_000],
  [
    'a text file',
    { file: { file_data: `data:text/plain;base64,${Buffer.from(text).toString('base64')}` } },
    tokensOfText,
  ],
  [
    'a document of three pages',
    {
      file_data: `data:application/pdf;base64,${Buffer.from(`%PDF-1.4 ${'<< /Type /Page >>'.repeat(3)} << /Type /Pages >>`).toString('base64')}`,
    },
    9000,
  ],
  ['a megabyte of sound', { input_audio: { data: 'A'.repeat(1_000_000), format: 'wav' } }, 37_500],
])('images and files count by their size: %s', (_, part, tokens) => {
  const estimate = estimateRequest({ model: 'm', ...user([part]) }).tokens;
  expect(estimate).toBeGreaterThanOrEqual(tokens);
  expect(estimate).toBeLessThan(tokens + 20);
});

test('the size of a picture’s data does not matter', () => {
  const url = `data:image/png;base64,${toPng(300, 300, 3_000_000)}`;
  expect(estimateRequest({ model: 'm', ...user([{ image_url: { url } }]) }).tokens).toBeLessThan(
    140,
  );
});

test('a few bytes a token, also in other scripts', () => {
  expect(estimateContentTokens([])).toBe(0);
  expect(estimateContentTokens(['x'.repeat(8), { a: ['x'.repeat(8)], n: 5, z: null }])).toBe(4);
  expect(estimateContentTokens('日本日本')).toBe(3);
});

test.each<[string, object, string]>([
  ['no mark', { messages: [{ role: 'user', content: 'cache_control' }] }, 'not'],
  ['a mark of a request', { cache_control: { type: 'ephemeral' } }, 'minutes'],
  [
    'marks of parts, of which the longest counts',
    {
      system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
        },
      ],
    },
    'hour',
  ],
  ['a mark that is none', { tools: [{ name: 'x', cache_control: null }] }, 'not'],
])('a prompt with %s', (_, body, cached) => {
  expect(estimateRequest({ ...body }).media.cached).toBe(cached);
});

test('sound is counted by itself, also as a file', () => {
  const data = 'A'.repeat(80_000);
  const content = [
    { type: 'input_audio', input_audio: { data, format: 'wav' } },
    { type: 'file', file: { file_data: `data:audio/mp3;base64,${data}` } },
    { type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } },
  ];
  const { media } = estimateRequest({ messages: [{ role: 'user', content }] });
  // 60,000 bytes each, of which twenty are a token.
  expect(media).toMatchObject({ files: 3, audioTokens: 6_000 });
});
