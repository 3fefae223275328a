import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimGroup } from '#lib/site/media/store/claim-file.ts';
import { makeTestFolder } from '../../../../support/temporary-folder.ts';

test('one process has a claim until it gives it back', async () => {
  const folder = makeTestFolder();
  const release = await claimGroup(folder, 'att1');
  expect(await claimGroup(folder, 'att1')).toBeNull();
  expect(await claimGroup(folder, 'att2')).not.toBeNull();
  await release?.();
  expect(await claimGroup(folder, 'att1')).not.toBeNull();
});

test('the claim of a process that has ended is removed', async () => {
  const folder = makeTestFolder();
  await claimGroup(folder, 'att3');
  await age(join(folder, '.writing-claim-att3'));
  expect(await claimGroup(folder, 'att3')).toBeNull();
  expect(await claimGroup(folder, 'att3')).not.toBeNull();
});

test('an old claim that cannot be removed stops nobody', async () => {
  const folder = makeTestFolder();
  // Nothing removes a folder this way, as nothing removes a file of a read-only disk.
  const path = join(folder, '.writing-claim-att4');
  await mkdir(path);
  await age(path);
  expect(await claimGroup(folder, 'att4')).not.toBeNull();
  expect(await readdir(folder)).toContain('.writing-claim-att4');
});

async function age(path: string): Promise<void> {
  const minuteAgo = Date.now() / 1000 - 60;
  await utimes(path, minuteAgo, minuteAgo);
}
