import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../support/temporary-folder.ts';

const program = resolve(import.meta.dirname, '../../../lib/storage/open-in-thread.ts');

test('a process that closes a file while a statement runs waits for both', async () => {
  const path = join(makeTestFolder(), 'file.db');
  new DatabaseSync(path).close();
  const script = `
    const { openInThread } = await import(${JSON.stringify(program)});
    const file = openInThread(${JSON.stringify(path)});
    const counting = 'with recursive n(x) as (select 1 union all select x + 1 from n where x < 500000) select count(*) from n';
    void file.execute(counting, []);
    await file.close();
    console.log('closed');`;
  const file = join(makeTestFolder(), 'close.mjs');
  writeFileSync(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toBe('closed\n');
});
