import { expect, test } from 'vitest';
import { classifyUrl } from '#lib/site/pages/classify-url.ts';
import { respondToUrl } from '#lib/site/pages/respond-to-url.ts';

test.for([
  ['/', '/api/v1/events'],
  ['/?status=ended&page=2', '/api/v1/events?status=ended'],
  ['/?format=online&q=jam', '/api/v1/events?format=online,both&q=jam'],
  ['/?format=both', '/api/v1/events?format=both'],
  ['/?when=weekend', '/api/v1/events?when=weekend'],
] as const)('%s has the same events as %s', async ([url, location]) => {
  const classified = classifyUrl('/', url.slice(1), 'application/json');
  if (classified.kind !== 'json') throw new Error('JSON has the highest quality.');
  const request = new Request(`http://localhost${url}`);
  const { status, headers } = await respondToUrl(request, {} as never, classified);
  expect([status, headers.get('location')]).toEqual([303, location]);
});
