import { parentPort } from 'node:worker_threads';
import { openSqliteFile, type SqliteFile, type SqliteResult } from './sqlite-file.ts';

/** A statement to run on the file that the first one names; null: the file is closed and the thread ends. */
export type ThreadRequest = Readonly<{
  path: string;
  sql: string;
  parameters: readonly unknown[];
}> | null;

/** An error loses its fields on the way. */
export type ThreadReply =
  | Readonly<{ result: SqliteResult }>
  | Readonly<{ error: Readonly<{ message: string; code?: unknown; errcode?: unknown }> }>;

/** The thread that `openInThread` starts. It replies to each request in turn. */
let file: SqliteFile | null = null;

async function reply({ path, sql, parameters }: NonNullable<ThreadRequest>): Promise<ThreadReply> {
  try {
    file ??= openSqliteFile(path);
    return { result: await file.execute(sql, parameters) };
  } catch (error) {
    const { message, ...fields } = error as Error & { code?: unknown; errcode?: unknown };
    return { error: { message, code: fields.code, errcode: fields.errcode } };
  }
}

parentPort?.on('message', async (request: ThreadRequest) => {
  if (request !== null) return parentPort?.postMessage(await reply(request));
  await file?.close();
  parentPort?.close();
});
