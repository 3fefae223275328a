import { examineBooks } from '#lib/cli/doctor/examine-books.ts';
import type { DatabaseOptions } from '#lib/storage/connection.ts';
import { hasDatabase } from '#lib/storage/find-database.ts';

/**
 * What `npm run doctor -- --books` checks, for each server that a test stops. A database that is away has no books.
 * @throws Error that names the balances that are not the sums of their usage.
 */
export async function checkBooks(storage: DatabaseOptions): Promise<void> {
  if (!(await hasDatabase(storage).catch(() => false))) return;
  const findings = await examineBooks({ storage });
  for (const { level, text } of findings) if (level === 'problem') throw new Error(text);
}
