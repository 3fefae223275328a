import { type RawBuilder, sql } from 'kysely';

/**
 * Whether one of several columns has a text in it, in any case. In SQL, `lower` knows ASCII alone with SQLite, and with
 * some locales of PostgreSQL: other letters are found as they are usually written.
 */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const patterns = [...new Set(listSpellings(text))].map(
    (spelling) => `%${spelling.replaceAll(/[\\%_]/g, '\\$&')}%`,
  );
  const found = columns.flatMap((column) =>
    patterns.map((pattern) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`),
  );
  return sql<boolean>`(${sql.join(found, sql` or `)})`;
}

/** As `lower` leaves them: with small ASCII letters. */
function listSpellings(text: string): string[] {
  const small = text.toLowerCase();
  const title = small.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [small, text.toUpperCase(), title].map((spelling) =>
    spelling.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
}
