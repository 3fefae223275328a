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
  const request = new Request(`http://localhost${url}`);
  const classified = classifyUrl('/', url.slice(1), 'application/json');
  const response = await respondToUrl(request, {} as never, classified);
  if (!(response instanceof Response)) throw new Error('JSON has the highest quality.');
  expect([response.status, response.headers.get('location')]).toEqual([303, location]);
});
