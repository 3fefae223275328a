import { expect, test } from 'vitest';
import { z } from 'zod';
import { exampleQuestions } from '#lib/representations/mcp/example-questions.ts';
import { tools } from '#lib/representations/mcp/tools/tools.ts';
import { makeLoader, makeMcpSnapshot } from '../../../support/factories/mcp-events.ts';
import { testSite as site } from '../../../support/test-site.ts';

const [jam, lantern, sumo, desk] = ['cartridge-jam', 'lantern-night', 'robot-sumo', 'review-desk'];
const machines = 'tomorrows-machines';
const [parts, derby, train] = ['moving-parts', 'soapbox-derby-for-robots', 'night-train-hackathon'];
const [ghosts, observatory] = ['ghost-stories', 'overnight-at-the-observatory'];

/** The slugs of the events that answer each question in turn, on 22 November 2026. */
const answers: readonly (readonly string[])[] = [
  [sumo, desk],
  [machines],
  [desk, sumo, derby, train, ghosts],
  [train, sumo, desk],
  [observatory, ghosts, parts, sumo, desk],
  [machines, derby, train, observatory],
  [ghosts, train],
  [derby, parts, sumo, lantern],
  [observatory, ghosts, train],
  [jam, lantern],
  [jam, ghosts, lantern, parts, train, observatory, desk, sumo, derby, machines],
  [derby],
  [machines],
  [ghosts, train, derby, parts, machines, sumo, desk],
  [observatory],
  [train],
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

test('there are twenty questions, each with an answer', () => {
  expect(exampleQuestions).toHaveLength(20);
  expect(answers).toHaveLength(20);
});

const cases = exampleQuestions.map((example, index) => ({ ...example, expected: answers[index] }));

test.each(cases)('$question', async ({ tool, arguments: input, expected = [] }) => {
  const events = makeLoader(await makeMcpSnapshot());
  const called = tools.find(({ name }) => name === tool);
  const output = await called?.run(called.inputSchema.parse(input), { site, events });
  called?.outputSchema.parse(output);
  const slugs = readSlugs(output);
  // Other events may follow the best match of a search.
  expect(tool === 'search' ? slugs.slice(0, expected.length) : slugs).toEqual(expected);
});
