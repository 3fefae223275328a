import { expect, test, vi } from 'vitest';
import { createPages } from '#lib/server/rendering/pages.ts';
import type { Services } from '#lib/services.ts';

test('while the server is overloaded, pages are a 503 and nothing is rendered', async () => {
  const render = vi.fn();
  // An overloaded process needs no other part.
  const services = { load: { isOverloaded: () => true } } as unknown as Services;
  const pages = createPages(render, services);

  const response = await pages(new Request('http://localhost/'), { kind: 'home' } as never, '/');

  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.text()).toContain('Try again');
  expect(render).not.toHaveBeenCalled();
});
