import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPublicParam, toPublicText } from '#lib/ai-proxy/upstreams/public-text.ts';
import { anyText } from '../../../support/factories/any-text.ts';

test.for([
  ["Invalid value for 'temperature': at most 2.", "Invalid value for 'temperature': at most 2."],
  ['Two\nlines\u0000 and\u200b marks', 'Two lines and marks'],
  ['See https://help.example/x?key=1 for more', 'See … for more'],
  ['Ask help@vendor.example.', 'Ask ….'],
  ['At 10.0.0.7:8080 it failed', 'At … it failed'],
  ['At gpu-7.vendor.internal:443/v1 it failed', 'At … it failed'],
  ['At models.gpu.corp it failed', 'At … it failed'],
  ["'text.format.schema' and messages.0.role", "'text.format.schema' and messages.0.role"],
  ['With sk-proj-abcDEF123 given', 'With … given'],
  ['With Bearer abc.def given', 'With … given'],
  ['A user message and a user-provided key_name', 'A user message and a user-provided key_name'],
  ['In org-AbC123xyz and req_011CSHoEeqs5', 'In … and …'],
  ['Id 0123456789abcdef0123456789abcdef was bad', 'Id … was bad'],
  ["'max_completion_tokens' is too large: 100000", "'max_completion_tokens' is too large: 100000"],
] as const)('%j is shown as %j', ([text, shown]) => {
  expect(toPublicText(text)).toBe(shown);
});

test.for([
  'Your account is not active',
  'Your organization must be verified to use this model',
  'You exceeded your current quota',
  'Check your billing details',
  'Incorrect API key provided',
  'Provider returned error',
  '',
  ' \n ',
])('%j is not shown', (text) => {
  expect(toPublicText(text)).toBeNull();
});

test.for([undefined, null, 7, {}, ['x']])('%j is not text', (text) => {
  expect(toPublicText(text)).toBeNull();
});

test.for([
  'a',
  'a-',
  'a.',
  'a@',
  'a1-',
  '1.',
  'a-a.',
  'sk-',
  'http://',
  'x@y.',
  'user-1',
  'api key ',
])('a long repetition of %j takes no long time', (part) => {
  const shown = toPublicText(part.repeat(5000));
  expect(shown?.length ?? 0).toBeLessThanOrEqual(401);
});

test('a very long text is cut', () => {
  expect(toPublicText('word '.repeat(10_000))?.length).toBeLessThanOrEqual(401);
});

test('no text shows a key, a URL or a line break, or takes long', () => {
  const secret = fc.constantFrom(
    'sk-0123456789abcdefghijklmn',
    'https://upstream.example/v1',
    'org-0123456789abc',
    '192.168.0.1',
    'me@upstream.example',
  );
  const text = fc.array(fc.oneof(anyText(), secret, fc.constantFrom(' ', '\n', '.', ',')), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, (parts) => {
      const shown = toPublicText(parts.join(' ')) ?? '';
      expect(shown).not.toMatch(/sk-01234|upstream\.example|org-0123|192\.168|[\n\r\0]/);
    }),
    { numRuns: 500 },
  );
});

test('a param is a field path and nothing else', () => {
  for (const param of ['model', 'messages[0].content', 'input[1].content[0].text']) {
    expect(toPublicParam(param)).toBe(param);
  }
  for (const param of ['', 'a b', 'x'.repeat(101), '<b>', '../x', 7, null, undefined]) {
    expect(toPublicParam(param)).toBeNull();
  }
});
