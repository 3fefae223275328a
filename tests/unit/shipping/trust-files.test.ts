import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeKeyText } from '#lib/keys/key-text.ts';
import { toMcpCatalog, toSecurityTxt, toServerCard } from '#lib/representations/discovery.ts';
import { runScript } from '../../support/programs/run-node.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const site = { name: 'Harbour Makers', url: 'https://events.example' };

test('the pattern of SECURITY.md finds every key, also within a text', () => {
  const [, pattern = ''] = /```text\n(.+)\n```/.exec(read('SECURITY.md')) ?? [];
  for (let round = 0; round < 100; round += 1) {
    const key = makeKeyText();
    expect(new RegExp(pattern).exec(`MARQUEE_KEY="${key}"`)?.[0]).toBe(key);
  }
});

test('security.txt has a contact and expires within a year, also for a server that runs on', () => {
  for (const now of ['2026-03-10T12:00:00Z', '2027-12-31T23:59:59Z'].map(Date.parse)) {
    const text = toSecurityTxt(site, { contactUrl: 'mailto:hello@events.example', now });
    const fields = text
      .trim()
      .split('\n')
      .map((line) => line.split(': '));
    expect(fields.map(([name]) => name)).toEqual([
      'Contact',
      'Expires',
      'Preferred-Languages',
      'Canonical',
    ]);
    expect(fields[0]).toEqual(['Contact', 'mailto:hello@events.example']);
    expect(fields[3]).toEqual(['Canonical', 'https://events.example/.well-known/security.txt']);
    const days = (Date.parse(fields[1]?.[1] ?? '') - now) / 86_400_000;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
  }
});

test('the card of the MCP server is where the catalog says, with names of the right form', () => {
  const card = JSON.parse(toServerCard(site));
  expect(card.name).toBe('example.events/marquee');
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect(card.remotes).toMatchObject([
    { type: 'streamable-http', url: 'https://events.example/mcp' },
  ]);
  expect(JSON.parse(toMcpCatalog(site)).entries).toEqual([
    {
      identifier: 'urn:air:events.example:marquee',
      displayName: 'Harbour Makers',
      type: 'application/mcp-server-card+json',
      url: 'https://events.example/mcp/server-card',
    },
  ]);
  const local = JSON.parse(toServerCard({ name: 'Marquee', url: 'http://[::1]:3000' }));
  expect(local.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
});

// ASVS 15.1.2, 15.2.3
test('npm run sbom lists in CycloneDX what the server runs on, and no tools', async () => {
  const { dependencies } = JSON.parse(read('package.json'));
  const { code, out } = await runScript('sbom', [], {});
  expect(code).toBe(0);
  const { bomFormat, metadata, components } = JSON.parse(out);
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'marquee']);
  const names = components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain('vitest');
});
