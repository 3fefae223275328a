import { sql } from 'kysely';
import type { ListSort } from '#lib/storage/lists.ts';
import { sumOf } from './sum-columns.ts';
import type { SumOwner } from './usage-sums.ts';

/** Those of a list whose requests have cost most from a day on (UTC). Unknown costs count as none. */
export function sortByCost(owner: SumOwner, fromDay: string): ListSort {
  const column = sql.ref(`${owner}_id`);
  return {
    value: sql<number>`coalesce(usage.nano_usd, 0)`,
    isText: false,
    isDescending: true,
    join: sql`left join (
      select ${column} as owner_id, ${sumOf('cost_nano_usd')} as nano_usd
      from ${sql.table(`marquee_usage_by_${owner}`)}
      where day >= ${fromDay} group by ${column}
    ) as usage on usage.owner_id = item.id`,
  };
}
