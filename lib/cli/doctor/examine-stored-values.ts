import { sql } from 'kysely';
import type { z } from 'zod';
import type { Database } from '#lib/database.ts';
import { parseJson } from '#lib/http/json-value.ts';
import { storedClaims } from '#lib/keys/store/key-record.ts';
import { storedBudget } from '#lib/spend/budgets.ts';
import { storedList } from '#lib/storage/stored-json.ts';
import { type Finding, warning } from './finding.ts';

type StoredColumn = Readonly<{ table: string; id: string; column: string; schema: z.ZodType }>;

/** What decides about rights and money. */
const storedColumns: readonly StoredColumn[] = [
  { table: 'marquee_keys', id: 'id', column: 'budget', schema: storedBudget },
  { table: 'marquee_keys', id: 'id', column: 'models', schema: storedList },
  { table: 'marquee_members', id: 'id', column: 'budget', schema: storedBudget },
  { table: 'marquee_members', id: 'id', column: 'claims', schema: storedClaims },
  { table: 'marquee_groups', id: 'name', column: 'budget', schema: storedBudget },
  { table: 'marquee_webhooks', id: 'id', column: 'types', schema: storedList },
];

/** Names the rows with a value that cannot be read, and so allows nothing. */
export async function examineStoredValues({ run }: Pick<Database, 'run'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, id, column, schema } of storedColumns) {
    const { rows } = await run((db) =>
      sql<{ id: string; text: string }>`
        select ${sql.ref(id)} as id, ${sql.ref(column)} as text from ${sql.table(table)}
        where ${sql.ref(column)} is not null
      `.execute(db),
    );
    for (const row of rows) {
      if (schema.safeParse(parseJson(row.text)).success) continue;
      const text = `${column} of ${row.id} in ${table} cannot be read, so that it allows nothing: set it again`;
      findings.push({ name: 'stored values', ...warning(text) });
    }
  }
  return findings;
}
