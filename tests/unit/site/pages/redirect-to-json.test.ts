import { expect, test } from 'vitest';
import { redirectToJson } from '#lib/site/pages/redirect-to-json.ts';

test.for([
  ['/', '/api/v1/events'],
  ['/?status=ended&page=2', '/api/v1/events?status=ended'],
  ['/?format=online&q=jam', '/api/v1/events?format=online,both&q=jam'],
  ['/?format=both', '/api/v1/events?format=both'],
  ['/?when=weekend', '/api/v1/events?when=weekend'],
] as const)('%s has the same events as %s', ([url, location]) => {
  const { status, headers } = redirectToJson({ kind: 'directory' }, url);
  expect([status, headers.get('location')]).toEqual([303, location]);
});
