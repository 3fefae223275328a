import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteFile, type SqliteFile, type SqliteResult } from './sqlite-file.ts';

/** A statement to run; without one, the file is closed and the thread ends. */
export type ThreadRequest = Readonly<{ sql: string; parameters: readonly unknown[] }> | null;

/** An error loses its fields on the way. */
export type ThreadReply =
  | Readonly<{ result: SqliteResult }>
  | Readonly<{ error: Readonly<{ message: string; code?: unknown; errcode?: unknown }> }>;

/** The thread that `openInThread` starts. It replies to each request in turn. */
const path: string = workerData;
let file: SqliteFile | null = null;

async function reply(request: NonNullable<ThreadRequest>): Promise<ThreadReply> {
  try {
    file ??= openSqliteFile(path);
    return { result: await file.execute(request.sql, request.parameters) };
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
