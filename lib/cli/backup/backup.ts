import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs';
import { chmod, copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { createFolder } from '#lib/storage/create-folder.ts';
import { toSqlitePath } from '#lib/storage/database-file.ts';
import { nameDatabase } from '#lib/storage/find-database.ts';
import { toErrorCode } from '#lib/storage/storage-error.ts';
import { type CommandContext, print, startCommand } from '../command.ts';
import { requireDatabase } from '../database-command.ts';
import {
  backupFiles,
  createFolderCommand,
  runPostgresTool,
  tablesLeftOut,
} from './backup-files.ts';

/**
 * `npm run backup -- FOLDER`: copies the database into a new folder while the server runs. With the embedded
 * database the pepper is copied, too: without it no key works. Pictures and events are left out: they are fetched again.
 */
export const backupCommand = createFolderCommand({
  name: 'npm run backup --',
  notes: `Copies the database into a new folder while the server runs. With the embedded database it also copies the pepper of
its keys. npm run restore -- FOLDER restores it.`,
  run: backUp,
});

async function backUp(folder: string, context: CommandContext): Promise<void> {
  const { storage, keys } = loadConfig(context.env);
  await requireDatabase(storage);
  await createEmptyFolder(folder);
  const { databaseUrl, dataDir } = storage;
  const path = join(folder, databaseUrl === null ? backupFiles.sqlite : backupFiles.postgres);
  try {
    if (databaseUrl === null) await copySqlite(dataDir, path);
    else {
      const args = [...dumpOptions, `--file=${path}`];
      await runPostgresTool({ program: 'pg_dump', args, databaseUrl }, context);
    }
    await chmod(path, 0o600);
    const pepper = await backUpPepper({ folder, dataDir, keyPepper: keys.pepper });
    print(context.stdout, `${nameDatabase(storage)} is backed up in ${path}.`);
    print(context.stdout, pepper);
  } catch (error) {
    // Nobody shall take half a database for a backup.
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
    const isFull = /^(?:ENOSPC|SQLITE_13)$/.test(toErrorCode(error));
    throw isFull ? new Error(`There is no backup: the disk of ${folder} is full.`) : error;
  }
}

const dumpOptions = [
  '--format=custom',
  '--no-owner',
  '--no-privileges',
  '--table=marquee_*',
  ...tablesLeftOut.map((table) => `--exclude-table-data=${table}`),
];

async function createEmptyFolder(path: string): Promise<void> {
  createFolder(path);
  if ((await readdir(path)).length > 0) {
    throw new Error(`${path} is not empty: each backup needs a folder of its own.`);
  }
}

/** 8 MB. */
const syncedPages = 2_000;

async function copySqlite(dataDir: string, path: string): Promise<void> {
  const database = new DatabaseSync(toSqlitePath(dataDir), { readOnly: true });
  const copy = openSync(path, 'a', 0o600);
  try {
    // One snapshot: SQLite's backup would begin again with every write of the server.
    database.exec('begin; select 1 from sqlite_schema');
    // Little by little: a system that has gigabytes to write holds up the server's own writes.
    await backup(database, path, { rate: syncedPages, progress: () => fdatasyncSync(copy) });
  } finally {
    closeSync(copy);
    database.close();
  }
  emptyTables(path);
}

function emptyTables(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    // A single file, in which nothing is left of deleted rows.
    copy.exec('pragma journal_mode = delete; pragma secure_delete = on');
    const tables = copy.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`);
    for (const table of tablesLeftOut) {
      if (tables.get(table) !== undefined) copy.exec(`delete from ${table}`);
    }
  } finally {
    copy.close();
  }
}

type Pepper = Readonly<{
  folder: string;
  dataDir: string;
  keyPepper: Config['keys']['pepper'];
}>;

async function backUpPepper({ folder, dataDir, keyPepper }: Pepper): Promise<string> {
  if (keyPepper !== null)
    return 'KEY_PEPPER is not in it: store it elsewhere, or no key will work.';
  const source = join(dataDir, backupFiles.pepper);
  if (!existsSync(source))
    return 'It contains no pepper: DATA_DIR has none, as before the first key.';
  const path = join(folder, backupFiles.pepper);
  await copyFile(source, path);
  await chmod(path, 0o600);
  return 'It contains the pepper of the keys: store it as you would a password.';
}

if (import.meta.main) await startCommand(backupCommand);
