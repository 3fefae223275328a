import type { Database } from '#lib/database.ts';

/** How many deliveries are due, or being sent. */
export function countDueDeliveries({ run }: Pick<Database, 'run'>, now: number): Promise<number> {
  return run(async (db) => {
    const due = db.selectFrom('marquee_deliveries').where('due_at', '<=', now);
    return (await due.select('id').execute()).length;
  });
}
