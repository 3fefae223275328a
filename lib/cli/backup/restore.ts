import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Config, loadConfig } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { createFolder } from '#lib/storage/create-folder.ts';
import { toSqlitePath } from '#lib/storage/database-file.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { type CommandContext, print, startCommand } from '../command.ts';
import {
  backupFiles,
  createFolderCommand,
  runPostgresTool,
  toDatabaseName,
} from './backup-files.ts';
import { copyRows } from './copy-rows.ts';

/**
 * `npm run restore -- FOLDER`: a backup into a new DATA_DIR or an empty database; never over another one. A backup of
 * the embedded database moves into PostgreSQL, too.
 */
export const restoreCommand = createFolderCommand({
  name: 'npm run restore --',
  notes: `Restores a backup into a new DATA_DIR or an empty database; it never overwrites one. Stop the server first.
With DATABASE_URL, the backup of an embedded database moves into PostgreSQL.`,
  run: restore,
});

async function restore(folder: string, context: CommandContext): Promise<void> {
  const { storage, keys } = loadConfig(context.env);
  const name = nameDatabase(storage);
  const file = join(folder, backupFiles.sqlite);
  const dump = join(folder, backupFiles.postgres);
  if (storage.databaseUrl !== null && !existsSync(dump) && existsSync(file)) {
    // It may have tables without rows, which a move that was cut off has left.
    await moveToPostgres(folder, { storage, keys });
  } else {
    await requireNone(storage, name);
    if (storage.databaseUrl === null) await restoreFiles(folder, storage.dataDir);
    else await restoreDump(dump, storage.databaseUrl, context);
  }
  const database = await openDatabase(storage);
  const count = await database.keys.count();
  await database.close();
  print(context.stdout, `${name} is restored: ${formatCountOf(count, 'key')}.`);
}

async function requireNone(storage: Config['storage'], name: string): Promise<void> {
  if (!(await hasDatabase(storage))) return;
  throw new Error(`There is a Marquee database already (${name}): move it away first.`);
}

const restoreOptions = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];

async function restoreDump(
  path: string,
  databaseUrl: string,
  context: CommandContext,
): Promise<void> {
  requireFile(path);
  const target = `--dbname=${toDatabaseName(new URL(databaseUrl))}`;
  const args = [target, ...restoreOptions, path];
  await runPostgresTool({ program: 'pg_restore', args, databaseUrl }, context);
}

function requireFile(path: string): void {
  if (existsSync(path)) return;
  throw new Error(`There is no ${path}. A backup of PostgreSQL fits only PostgreSQL.`);
}

async function restoreFiles(folder: string, dataDir: string): Promise<void> {
  const source = join(folder, backupFiles.sqlite);
  requireFile(source);
  requireIntact(source);
  createFolder(dataDir);
  const pepper = join(folder, backupFiles.pepper);
  if (existsSync(pepper)) await copyNew(pepper, join(dataDir, backupFiles.pepper));
  await copyNew(source, toSqlitePath(dataDir));
}

type Target = Readonly<{ storage: Config['storage']; keys: Config['keys'] }>;

async function moveToPostgres(folder: string, { storage, keys }: Target): Promise<void> {
  const source = join(folder, backupFiles.sqlite);
  requireIntact(source);
  await requirePepper(join(folder, backupFiles.pepper), keys);
  createFolder(storage.dataDir);
  const dataDir = await mkdtemp(join(storage.dataDir, 'restore-'));
  try {
    await copyNew(source, toSqlitePath(dataDir));
    // Both get the tables of this version.
    await (await openDatabase({ databaseUrl: null, dataDir })).close();
    const database = await openDatabase(storage);
    await copyRows(toSqlitePath(dataDir), database).finally(database.close);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** The pepper of an embedded database becomes a setting of all instances. */
async function requirePepper(path: string, keys: Config['keys']): Promise<void> {
  if (!existsSync(path)) return;
  const pepper = (await readFile(path, 'utf8')).trim();
  if (pepper === keys.pepper || pepper === keys.previousPepper) return;
  throw new Error(
    `KEY_PEPPER is not the text in ${path}, without which no key of the backup works.`,
  );
}

function requireIntact(path: string): void {
  const url = pathToFileURL(path);
  // Nothing is written beside it.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  const result = database.prepare('pragma integrity_check').get();
  database.close();
  if (result?.integrity_check !== 'ok') throw new Error(`${path} is damaged.`);
}

async function copyNew(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await chmod(to, 0o600);
}

if (import.meta.main) await startCommand(restoreCommand);
