import { expect, test } from 'vitest';
import { testedClients } from '#lib/representations/docs/generated-tables.ts';
import { agents } from '../../agents/agents.ts';
import { libraries } from '../../support/clients/libraries/libraries.ts';

const apisByPath = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
} as const;

test('the table of /docs/ai lists the clients that tests run, with the APIs by which they do', () => {
  const run = [
    ...libraries.map(({ documented, api }) => `${documented}: ${api}`),
    // By openrouter.test.ts, and by coding-agents.test.ts.
    ...['OpenRouter SDK: chat', 'OpenRouter SDK: responses'],
    ...agents.map(
      ({ name, path }) => `${name.replace(/ by .*|, newer .*/, '')}: ${apisByPath[path]}`,
    ),
  ];
  const listed = testedClients.flatMap(({ client, apis }) =>
    apis.map((api) => `${client}: ${api}`),
  );
  expect(listed.toSorted()).toEqual([...new Set(run)].toSorted());
});
