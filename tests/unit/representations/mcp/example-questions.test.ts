import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createClientTurns } from '#lib/http/client-turns.ts';
import { silentLog } from '#lib/http/log.ts';
import { listExampleQuestions } from '#lib/representations/mcp/example-questions.ts';
import { createMcpRoute } from '#lib/representations/mcp/mcp-route.ts';
import { config, makeLoader, makeMcpSnapshot } from '../../../support/factories/mcp-events.ts';
import { testSite as site } from '../../../support/test-site.ts';

const takeTurn = createClientTurns(0);

const exampleQuestions = listExampleQuestions('2026-11-22');
const info = { name: 'test', version: '1.0.0' };
const log = silentLog;

const [jam, lantern, sumo, desk] = ['cartridge-jam', 'lantern-night', 'robot-sumo', 'review-desk'];
const machines = 'tomorrows-machines';
const [parts, derby, train] = ['moving-parts', 'soapbox-derby-for-robots', 'night-train-hackathon'];
const [ghosts, observatory] = ['ghost-stories', 'overnight-at-the-observatory'];

/** The slugs of the events that answer each question in turn, on 22 November 2026. */
const answers: readonly (readonly string[])[] = [
  [desk, sumo],
  [machines],
  [desk, sumo],
  [desk, sumo, derby, train, ghosts],
  [desk, sumo, train],
  [machines, derby, train, observatory],
  [train, ghosts],
  [derby, parts, sumo, lantern],
  [observatory, ghosts, train],
  [jam, lantern],
  [sumo, machines, derby],
  [machines],
  [sumo, desk],
  [derby],
  [ghosts],
  [observatory],
  [observatory],
  [observatory],
  [train],
  [machines],
];

const results = z.union([
  z.object({ results: z.array(z.object({ url: z.string() })) }),
  z.object({ data: z.array(z.object({ slug: z.string() })) }),
  z.object({ data: z.object({ slug: z.string() }) }),
  z.object({ url: z.string() }),
]);

function readSlugs(output: unknown): string[] {
  const found = results.parse(output);
  const toSlug = (url: string) => url.replace(`${site.url}/events/`, '');
  if ('results' in found) return found.results.map(({ url }) => toSlug(url));
  if ('data' in found) return [found.data].flat().map(({ slug }) => slug);
  return [toSlug(found.url)];
}

test('dates of examples are the next ones', () => {
  const datesOn = (today: string) =>
    JSON.stringify(listExampleQuestions(today)).match(/\d{4}-12-05/)?.[0];
  expect(datesOn('2026-12-05')).toBe('2026-12-05');
  expect(datesOn('2026-12-06')).toBe('2027-12-05');
});

test('there are twenty questions, each with an answer', () => {
  expect(exampleQuestions).toHaveLength(20);
  expect(answers).toHaveLength(20);
});

const cases = exampleQuestions.map((example, index) => ({ ...example, expected: answers[index] }));

test.each(cases)('$question', async ({ tool, arguments: input, expected = [] }) => {
  const events = makeLoader(await makeMcpSnapshot());
  const { POST } = createMcpRoute(() => ({ site, events, config, log, takeTurn }));
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const url = new URL(`${site.url}/mcp`);
  const fetch = async (target: string | URL, init?: RequestInit) =>
    POST(new Request(target, { ...init, headers: toHeaders(init) }), {
      params: Promise.resolve({}),
    });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  const { structuredContent } = await client.callTool({ name: tool, arguments: { ...input } });
  expect(readSlugs(structuredContent)).toEqual(expected);
  await client.close();
});

function toHeaders(init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers);
  headers.set('Host', new URL(site.url).host);
  return headers;
}
