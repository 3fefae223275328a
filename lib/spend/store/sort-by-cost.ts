import { sql } from 'kysely';
import type { ListSort } from '#lib/storage/lists.ts';
import { sumOf } from './sum-columns.ts';
import type { SumOwner } from './usage-sums.ts';

/**
 * Those of a list whose requests have cost most from a day on (UTC). Unknown costs count as none. By their balances, which
 * have one row for each day: the sums by model take twice the time.
 */
export function sortByCost(owner: SumOwner, fromDay: string): ListSort {
  return {
    value: sql<number>`coalesce((
      select ${sumOf('nano_usd')} from marquee_balances
      where account = ${sql.lit(`${owner}:`)} || item.id and day >= ${fromDay}
    ), 0)`,
    isText: false,
    isDescending: true,
  };
}
