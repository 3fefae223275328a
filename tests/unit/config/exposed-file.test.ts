import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findExposedFile } from '#lib/config/env-file.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';

// ASVS 13.3.2
test('a file of secrets that every user can read is a warning that says what to do', () => {
  const path = join(makeTestFolder(), '.env');
  expect(findExposedFile(path)).toBeNull();
  writeFileSync(path, 'AIRTABLE_TOKEN=canary', { mode: 0o640 });
  expect(findExposedFile(path)).toBeNull();
  const open = join(makeTestFolder(), '.env');
  writeFileSync(open, 'AIRTABLE_TOKEN=canary', { mode: 0o644 });
  expect(findExposedFile(open)).toBe(
    `Every user of this machine can read the secrets in ${open}: chmod 600 ${open}`,
  );
});
