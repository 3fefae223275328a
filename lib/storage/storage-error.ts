// Next loads this module a second time, so that `instanceof` would fail.
const brand = Symbol.for('marquee.storage-error');

/** A storage failure, with a one-line message for the operator that contains no secrets. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** Error code of the system, SQLite or PostgreSQL; safe to log. */
  readonly code: string;
  readonly [brand] = true;

  constructor(message: string, options: Readonly<{ code: string; cause?: unknown }>) {
    super(message, { cause: options.cause });
    this.code = options.code;
  }
}

export function isStorageError(error: unknown): error is StorageError {
  return error instanceof Error && brand in error;
}

/**
 * Whether the rest of the site works without the database: its server is away, starting or overloaded, or the
 * file has come to harm. Anything else is a wrong setting.
 */
export function isOutage({ code }: StorageError, kind: 'file' | 'server'): boolean {
  return kind === 'server'
    ? /^(?:E[A-Z_]+|57P0[123]|53300)$/.test(code)
    : /^(?:ENOSPC|EDQUOT|EROFS|SQLITE_(?:8|10|11|13|26))$/.test(code);
}

/** For logs: the code, and what is wrong in our own words where they are known. */
export function toLogFields(error: unknown): Readonly<{ code: string; problem?: string }> {
  const code = toErrorCode(error);
  return isStorageError(error) ? { code, problem: error.message } : { code };
}

/** Problems with the data folder, by error code of the system or of SQLite. */
const fileProblems: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  ENOTDIR: 'part of that path is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'that folder cannot be created',
  SQLITE_5: 'its database is locked by another process',
  SQLITE_6: 'its database is locked by another process',
  SQLITE_8: 'its database is read-only',
  SQLITE_10: 'its database cannot be read or written: check the disk',
  SQLITE_11: 'its database is damaged: restore it from a backup',
  SQLITE_13: 'its disk is full',
  SQLITE_14: 'its database cannot be opened: this user needs to read and write all files there',
  SQLITE_26: 'marquee.db in it is not a database: move that file away',
};

/** By PostgreSQL's SQLSTATE (appendix A of its manual), else by error code of the system. */
const serverProblems: Readonly<Record<string, string>> = {
  '28P01': 'rejects its user or password',
  '28000': 'rejects its user',
  '3D000': 'does not exist on that server: create it first',
  '42501': 'does not let its user do this: grant it CREATE on the schema',
  '53100': 'has a full disk',
  '53300': 'has no connections left',
  '57014': 'took too long to respond',
  '25006': 'is read-only',
};

/** A failure of the embedded database or its folder. */
export function toFileError(cause: unknown, dataDir: string): StorageError {
  const code = toErrorCode(cause);
  const problem = fileProblems[code] ?? `its database failed with ${code}`;
  const shown = JSON.stringify(dataDir);
  return new StorageError(`DATA_DIR is ${shown}, but ${problem}.`, { code, cause });
}

export function toDamageError(dataDir: string): StorageError {
  return toFileError(Object.assign(new Error(), { errcode: 11 }), dataDir);
}

/** A failure of a PostgreSQL server. The message contains neither its URL nor its error text. */
export function toServerError(cause: unknown): StorageError {
  const code = toErrorCode(cause);
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
  const problem =
    serverProblems[code] ??
    (isSqlState ? `failed with SQLSTATE ${code}` : `cannot be reached (${code})`);
  return new StorageError(`DATABASE_URL points to a database that ${problem}.`, { code, cause });
}

/** The code of an error. SQLite's become `SQLITE_n` with the primary result code (https://sqlite.org/rescode.html). */
export function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('errcode' in error && typeof error.errcode === 'number') {
    return `SQLITE_${error.errcode & 0xff}`;
  }
  // A host with several IP addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return toErrorCode(error.errors[0]);
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
