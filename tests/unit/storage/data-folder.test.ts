import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { loadPepper } from '#lib/keys/pepper.ts';
import { createFileStore } from '#lib/site/media/store/file-store.ts';
import { makeTestFolder } from '../../support/temporary-folder.ts';
import { createTestLog } from '../../support/test-log.ts';

const makers: Readonly<Record<string, (dataDir: string) => unknown>> = {
  'the database': async (dataDir) => (await openDatabase({ databaseUrl: null, dataDir })).close(),
  'the pepper': (dataDir) => loadPepper({ keyPepper: null, dataDir }),
  'the store of pictures': (dataDir) =>
    createFileStore({
      folder: join(dataDir, 'pictures'),
      memoryBytesMax: 9999,
      log: createTestLog(),
    }).write({ group: 'one', name: 'two' }, new Uint8Array(3)),
};

test.for(Object.entries(makers))(
  'DATA_DIR is for its owner only if %s makes it',
  async ([, make]) => {
    const dataDir = join(makeTestFolder(), 'data');
    await make(dataDir);
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
  },
);

test.for(['removed', 'moved away'] as const)(
  'a database that was %s while it is open does not work any more, and says so',
  async (how) => {
    const dataDir = makeTestFolder();
    const database = await openDatabase({ databaseUrl: null, dataDir });
    await database.ping();
    if (how === 'removed') rmSync(dataDir, { recursive: true });
    else renameSync(join(dataDir, 'marquee.db'), join(dataDir, 'elsewhere.db'));
    await expect(database.ping()).rejects.toThrow(
      `DATA_DIR is "${dataDir}", but its database was removed or replaced while the server runs.`,
    );
    // Another process has made one.
    await (await openDatabase({ databaseUrl: null, dataDir })).close();
    await expect(database.ping()).rejects.toThrow('was removed or replaced');
    await database.close();
  },
);
