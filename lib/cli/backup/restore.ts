import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '#lib/config/config.ts';
import { openDatabase } from '#lib/database.ts';
import { createFolder } from '#lib/storage/create-folder.ts';
import { hasDatabase, nameDatabase } from '#lib/storage/find-database.ts';
import { toSqlitePath } from '#lib/storage/sqlite.ts';
import { type CommandContext, print, startCommand } from '../command.ts';
import {
  backupFiles,
  createFolderCommand,
  runPostgresTool,
  toDatabaseName,
} from './backup-files.ts';

/** `npm run restore -- FOLDER`: a backup into a new DATA_DIR or an empty database; never over another one. */
export const restoreCommand = createFolderCommand({
  name: 'npm run restore --',
  notes: `Restores a backup into a new DATA_DIR or an empty database; it never overwrites one. Stop the server first.`,
  run: restore,
});

async function restore(folder: string, context: CommandContext): Promise<void> {
  const { storage } = loadConfig(context.env);
  const name = nameDatabase(storage);
  if (await hasDatabase(storage)) {
    throw new Error(`There is a Marquee database already (${name}): move it away first.`);
  }
  const { databaseUrl, dataDir } = storage;
  const path = join(folder, databaseUrl === null ? backupFiles.sqlite : backupFiles.postgres);
  if (!existsSync(path)) {
    throw new Error(
      `There is no ${path}. A backup fits only the kind of database that it was made from.`,
    );
  }
  if (databaseUrl === null) await restoreFiles(folder, dataDir);
  else {
    const target = `--dbname=${toDatabaseName(new URL(databaseUrl))}`;
    const args = [target, ...restoreOptions, path];
    await runPostgresTool({ program: 'pg_restore', args, databaseUrl }, context);
  }
  const database = await openDatabase(storage);
  const keys = await database.keys.count();
  await database.close();
  print(context.stdout, `${name} is restored: ${keys} keys.`);
}

const restoreOptions = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];

async function restoreFiles(folder: string, dataDir: string): Promise<void> {
  const source = join(folder, backupFiles.sqlite);
  requireIntact(source);
  createFolder(dataDir);
  const pepper = join(folder, backupFiles.pepper);
  if (existsSync(pepper)) await copyNew(pepper, join(dataDir, backupFiles.pepper));
  await copyNew(source, toSqlitePath(dataDir));
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
