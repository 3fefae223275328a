import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatRequest } from '#lib/site/playground/chat-request.ts';
import { toCodeSamples } from '#lib/site/playground/code-samples.ts';

const siteUrl = 'https://events.example';
const apis = ['responses', 'chat', 'messages'] as const;
// Shells cannot pass a NUL, and a lone surrogate cannot be written.
const typed = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 30 })
  .map((text) => `'"$(x)\`\\${text.toWellFormed().replaceAll('\0', '')}`);

function toSample(request: ChatRequest, title: string): string {
  return toCodeSamples(request, { siteUrl }).find((sample) => sample.title === title)?.code ?? '';
}

test('curl sends the typed text, whatever it means to a shell', () => {
  const contents = fc.sample(typed, 20);
  const requests = apis.flatMap((api) =>
    contents.map((content): ChatRequest => {
      return { api, model: 'a/b', turns: [{ role: 'user', content }] };
    }),
  );
  // One shell for all. A stand-in for curl prints its last argument.
  const standIn = 'curl() { for last; do :; done; printf "%s\\0" "$last"; }';
  const script = [standIn, ...requests.map((request) => toSample(request, 'curl'))].join('\n');
  const printed = execFileSync('sh', { input: script, encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(printed.map((body) => JSON.parse(body))).toEqual(
    requests.map(({ api, turns }) => ({
      model: 'a/b',
      stream: true,
      ...(api === 'responses' ? { input: turns[0]?.content } : { messages: turns }),
      ...(api === 'messages' && { max_tokens: 4096 }),
    })),
  );
});

test.each(apis)('the JavaScript sample is a valid program for any text: %s', (api) => {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  fc.assert(
    fc.property(typed, (content) => {
      const request: ChatRequest = { api, model: 'a/b', turns: [{ role: 'user', content }] };
      const [first, ...lines] = toSample(request, 'JavaScript').split('\n');
      const client =
        api === 'messages' ? "Anthropic from '@anthropic-ai/sdk'" : "OpenAI from 'openai'";
      expect(first).toBe(`import ${client};`);
      expect(() => new AsyncFunction(lines.join('\n'))).not.toThrow();
    }),
    { numRuns: 50 },
  );
});

test.each(apis)('every sample has all turns, and no key: %s', (api) => {
  const turns = [
    { role: 'user', content: 'Name a star.' },
    { role: 'assistant', content: 'Vega.' },
    { role: 'user', content: 'Another.' },
  ] as const;
  for (const { code } of toCodeSamples({ api, model: 'a/b', turns }, { siteUrl })) {
    for (const { content } of turns) expect(code).toContain(`"${content}"`);
    expect(code).toContain(`${siteUrl}/proxy`);
    expect(code).toContain('MARQUEE_KEY');
    expect(stripVTControlCharacters(code)).toBe(code);
  }
});
