import { expect, test } from 'vitest';
import { z } from 'zod';
import { exampleQuestions } from '#lib/mcp/example-questions.ts';
import { tools } from '#lib/mcp/tools/tools.ts';
import { makeLoader, makeMcpSnapshot } from '../../support/factories/mcp-events.ts';
import { testSite as site } from '../../support/test-site.ts';

const [jam, lantern, sumo, desk] = ['cartridge-jam', 'lantern-night', 'robot-sumo', 'review-desk'];
const machines = 'tomorrows-machines';
const [parts, derby, train] = ['moving-parts', 'soapbox-derby-for-robots', 'night-train-hackathon'];
const [ghosts, observatory] = ['ghost-stories', 'overnight-at-the-observatory'];

/** The slugs of the events that answer each question, on 22 November 2026. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'What is on now?': [sumo, desk],
  'Which event starts next?': [machines],
  'What is on in December 2026?': [desk, sumo, derby, train, ghosts],
  'What can I do on 5 December 2026?': [train, sumo, desk],
  'What can I join online?': [observatory, ghosts, parts, sumo, desk],
  'Where can I meet people in person soon?': [machines, derby, train, observatory],
  'Which game jams are coming up?': [ghosts, train],
  'Is there anything about CAD or electronics?': [derby, parts, sumo, lantern],
  'What was announced last?': [observatory, ghosts, train],
  'Which events are over?': [jam, lantern],
  'List all events by name.': [
    ...[jam, ghosts, lantern, parts, train, observatory, desk, sumo, derby, machines],
  ],
  'Which upcoming events mention robots?': [derby],
  'What is on in Lisbon?': [machines],
  'Is there a hackathon before New Year?': [train, machines],
  'Is there something with telescopes?': [observatory],
  'Which event is about trains?': [train],
  'What do I need to bring to the observatory?': [observatory],
  'Where does Overnight at the Observatory take place?': [observatory],
  'How do I join the Night Train Hackathon?': [train],
  'Tell me everything about Tomorrow’s Machines.': [machines],
};

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
  expect(exampleQuestions.map(({ question }) => question)).toEqual(Object.keys(answers));
  expect(exampleQuestions).toHaveLength(20);
});

test.each(exampleQuestions)('$question', async ({ question, tool, arguments: input }) => {
  const events = makeLoader(await makeMcpSnapshot());
  const called = tools.find(({ name }) => name === tool);
  const output = await called?.run(called.inputSchema.parse(input), { site, events });
  called?.outputSchema.parse(output);
  const slugs = readSlugs(output);
  // Other events may follow the best match of a search.
  const expected = answers[question] ?? [];
  expect(tool === 'search' ? slugs.slice(0, expected.length) : slugs).toEqual(expected);
});
