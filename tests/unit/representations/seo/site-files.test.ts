import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { toWebManifest } from '#lib/representations/discovery.ts';
import { toRobotsTxt } from '#lib/representations/seo/sitemap.ts';
import { testSite as site } from '../../../support/test-site.ts';

const folder = `${import.meta.dirname}/../../../../public`;

test('robots.txt says in the group of all crawlers what content may be used for', () => {
  const lines = toRobotsTxt(site, { contentSignal: 'search=yes, ai-train=no' }).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'User-agent: *',
    'Content-Signal: search=yes, ai-train=no',
    'Allow: /',
  ]);
});

test('the manifest has the site’s name, and its icons exist in the stated sizes', async () => {
  const manifest: { name: string; icons: { src: string; sizes: string; type: string }[] } =
    JSON.parse(toWebManifest({ ...site, name: 'Ada’s "events"' }));
  expect(manifest.name).toBe('Ada’s "events"');
  expect(manifest.icons.length).toBeGreaterThan(2);
  for (const { src, sizes, type } of manifest.icons) {
    const file = folder + src;
    expect(existsSync(file), src).toBe(true);
    const { format, width, height } = await sharp(file).metadata();
    expect(type, src).toContain(format);
    if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
  }
});

test('apple-touch-icon.png and favicon.ico exist', async () => {
  const { width, height, hasAlpha } = await sharp(`${folder}/apple-touch-icon.png`).metadata();
  expect([width, height, hasAlpha]).toEqual([180, 180, false]);
  const icon = readFileSync(`${folder}/favicon.ico`);
  expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  const picture = icon.subarray(icon.readUInt32LE(18));
  expect((await sharp(picture).metadata()).width).toBe(32);
});
