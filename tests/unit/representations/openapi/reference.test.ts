import { expect, test } from 'vitest';
import { eventSchema } from '#lib/events/model/schema.ts';
import { feedParameters, listParameters } from '#lib/events/query/query-parameters.ts';
import { createOpenApiDocument } from '#lib/representations/openapi/document.ts';
import { getReference } from '#lib/representations/openapi/reference.ts';
import { testSite as site } from '../../../support/test-site.ts';

const { operations, schemas } = getReference(site);

function operationOf(id: string) {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`No operation ${id}`);
  return found;
}

test('every operation of the document is in the reference', () => {
  const paths = Object.entries(createOpenApiDocument(site).paths ?? {});
  const expected = paths.flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
});

// ASVS 2.1.1
test('parameters have a type, an input and a default', () => {
  const { parameters } = operationOf('listEvents');
  expect(parameters.map(({ name }) => name)).toEqual(Object.keys(listParameters));
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  expect(byName.get('status')).toMatchObject({
    type: 'one or more of `upcoming`, `ongoing`, `ended`',
    input: { kind: 'choices', choices: ['upcoming', 'ongoing', 'ended'] },
    defaultsTo: null,
  });
  expect(byName.get('sort')).toMatchObject({ input: { kind: 'choice' }, defaultsTo: 'startDate' });
  expect(byName.get('order')).toMatchObject({ defaultsTo: 'desc' });
  expect(byName.get('from')).toMatchObject({ input: { kind: 'date' } });
  expect(byName.get('q')).toMatchObject({ input: { kind: 'text', lengthMax: 200 } });
  expect(byName.get('limit')).toMatchObject({
    type: 'integer, 1 to 100',
    input: { kind: 'number', min: 1, max: 100 },
  });
  const feed = operationOf('getEventsFeed').parameters;
  expect(feed.map(({ name }) => name)).toEqual(Object.keys(feedParameters));
  expect(feed.find(({ name }) => name === 'limit')?.defaultsTo).toBe('20');
});

test('path parameters are required and have an example', () => {
  expect(operationOf('getEvent').parameters).toMatchObject([
    { name: 'idOrSlug', in: 'path', isRequired: true, example: 'recV7kQ2mXw4Tn9Lb' },
  ]);
});

test('every field of an event is listed with its type in words', () => {
  const fields = schemas.find(({ name }) => name === 'Event')?.fields ?? [];
  expect(fields.map(({ name }) => name)).toEqual(Object.keys(eventSchema.shape));
  const types = Object.fromEntries(fields.map(({ name, type }) => [name, type]));
  expect(types).toMatchObject({
    id: 'string',
    status: 'one of `upcoming`, `ongoing`, `ended`',
    endDate: 'date (`YYYY-MM-DD`) or null',
    url: 'URL or null',
    theme: 'EventTheme or null',
    pinned: 'boolean',
  });
});

test('nested fields have dots in their names', () => {
  const theme = schemas.find(({ name }) => name === 'EventTheme')?.fields ?? [];
  expect(theme.map(({ name }) => name)).toContain('button.borderRadius');
});
