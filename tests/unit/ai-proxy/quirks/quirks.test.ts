import { expect, test } from 'vitest';
import { changeRequest, mayAvoid, quirkTable } from '#lib/ai-proxy/quirks/quirks.ts';
import { quirkNames } from '#lib/config/quirk-names.ts';

test('each name in the file of upstreams has a row, and something that is changed or avoided', () => {
  expect(new Set(quirkTable.flatMap(({ name }) => name ?? []))).toEqual(new Set(quirkNames));
  const dialects = ['chat', 'translated', 'responses', 'messages', 'embeddings'] as const;
  const added = [...quirkNames];
  const isAvoided = (name: string) =>
    dialects.some((dialect) => mayAvoid(name, { dialect, added }));
  expect(quirkNames.filter((name) => !isAvoided(name))).toEqual([]);
});

test('a request that has nothing of a quirk stays the same', () => {
  const request = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 70 };
  const quirks = new Map(
    quirkNames.filter((name) => name !== 'max_tokens').map((name) => [name, []]),
  );
  for (const dialect of ['chat', 'translated'] as const) {
    expect(changeRequest(request, { dialect }, quirks)).toEqual(request);
  }
});

test.for([
  ['max_completion_tokens', 'max_tokens'],
  ['max_tokens', 'max_completion_tokens'],
] as const)('a server that does not know %s gets %s', ([name, other]) => {
  const quirks = new Map([[name, [other]]]);
  const change = (request: object) =>
    changeRequest({ model: 'm', ...request }, { dialect: 'translated' }, quirks);

  expect(change({ [name]: 70 })).toEqual({ model: 'm', [other]: 70 });
  expect(change({ [name]: 70, [other]: 50 })).toEqual({ model: 'm', [other]: 50 });
  expect(change({ [other]: 50 })).toEqual({ model: 'm', [other]: 50 });
});
