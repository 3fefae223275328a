import { expect, test } from 'vitest';
import { toApiCatalog, toFindEventsSkill } from '#lib/representations/discovery.ts';
import { testSite as site } from '../../../support/test-site.ts';

test('the catalog lists three APIs, each with its documentation', () => {
  const { linkset } = JSON.parse(toApiCatalog(site));
  const [catalog, ...apis] = linkset;
  const anchors = ['/api/v1/events', '/proxy/v1', '/mcp'].map((path) => site.url + path);
  expect(catalog.anchor).toBe('https://events.example/.well-known/api-catalog');
  expect(catalog.item.map(({ href }: { href: string }) => href)).toEqual(anchors);
  expect(apis.map(({ anchor }: { anchor: string }) => anchor)).toEqual(anchors);
  for (const api of apis) expect(api['service-doc'][0].href).toMatch(/\/docs\/(api|ai|agents)$/);
});

test('the skill has front matter that no site name can break', () => {
  const skill = toFindEventsSkill({ ...site, name: 'A: "b" # c' });
  const [open, name, description, close, blank, title] = skill.split('\n');
  expect([open, name, close, blank, title]).toEqual([
    '---',
    'name: find-events',
    '---',
    '',
    '# Find events',
  ]);
  expect(JSON.parse(description?.slice('description: '.length) ?? '')).toContain('A: "b" # c');
  expect(skill).not.toContain('{{');
  expect(skill).toContain('https://events.example/mcp');
});
