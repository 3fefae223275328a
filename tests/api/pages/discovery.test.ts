import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { getPage, send } from '../../support/clients/http-client.ts';
import { siteUrl, startMarqueeInProcess } from '../../support/servers/marquee-server.ts';
import { shareServer } from '../../support/servers/running-server.ts';

const server = shareServer();
const toPath = (url: string) => url.slice(siteUrl.length);

test('the home page links to the API catalog and the skills, and every link works', async () => {
  const { header } = await getPage(server, '/');
  const links = [...header('link').matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)];
  const relations = links.map(([, url = '', relation]) => [relation, toPath(url)]);
  expect(relations).toContainEqual(['api-catalog', '/.well-known/api-catalog']);
  expect(relations).toContainEqual(['describedby', '/.well-known/agent-skills/index.json']);
  expect(relations).toContainEqual(['service-desc', '/api/v1/openapi.json']);
  for (const [, url = '', , type = ''] of links) {
    const response = await send(server, toPath(url), { headers: { accept: '*/*' } });
    expect(response.status, url).toBe(200);
    expect(response.header('content-type'), url).toContain(type);
  }
});

test('other pages do not', async () => {
  for (const path of ['/docs', `/events/${server.slug}`]) {
    const { header } = await getPage(server, path);
    expect(header('link')).not.toContain('api-catalog');
  }
});

// ASVS 4.1.1
test('every link of the API catalog works', async () => {
  const response = await send(server, '/.well-known/api-catalog');
  expect(response.header('content-type')).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  const { linkset } = JSON.parse(response.text);
  const targets = linkset
    .flatMap(({ anchor: _, item: __, ...links }: Record<string, unknown>) => Object.values(links))
    .flat();
  expect(targets.length).toBeGreaterThan(6);
  for (const { href, type } of targets) {
    const target = await send(server, toPath(href), { headers: { accept: type } });
    expect(target.status, href).toBe(200);
    expect(target.header('content-type'), href).toContain(type);
  }
  const head = await send(server, '/.well-known/api-catalog', { method: 'HEAD' });
  expect(head.header('link')).toContain('rel="api-catalog"');
});

test('the skill has the digest that the index states', async () => {
  const index = await send(server, '/.well-known/agent-skills/index.json');
  expect(index.header('content-type')).toBe('application/json; charset=utf-8');
  expect(index.header('access-control-allow-origin')).toBe('*');
  for (const { url, digest } of JSON.parse(index.text).skills) {
    const skill = await send(server, toPath(url));
    expect(skill.status).toBe(200);
    expect(skill.header('content-type')).toBe('text/markdown; charset=utf-8');
    expect(`sha256:${hash('sha256', skill.body)}`).toBe(digest);
  }
});

test('the requests of the skill work', async () => {
  const { text } = await send(server, '/.well-known/agent-skills/find-events/SKILL.md');
  const paths = [...text.matchAll(/`GET (\/\S+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(7);
  for (const path of paths) {
    const response = await send(server, path.replace('{idOrSlug}', server.slug));
    expect(response.status, path).toBe(200);
  }
});

test('security.txt names the contact of the site, its own URL, and a day within a year', async () => {
  const path = '/.well-known/security.txt';
  expect((await send(server, path)).status).toBe(404);
  await using site = await startMarqueeInProcess({
    SITE_CONTACT_URL: 'mailto:hello@events.example',
  });
  const { status, text, header } = await send(site, path);
  expect([status, header('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toContain('Contact: mailto:hello@events.example\n');
  expect(text).toContain(`Canonical: ${siteUrl}/.well-known/security.txt\n`);
  const expiresInMs = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - Date.now();
  expect(expiresInMs).toBeGreaterThan(0);
  expect(expiresInMs).toBeLessThan(365 * 86_400_000);
});
