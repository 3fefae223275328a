import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../schema.ts';
import { migration001 } from './001.ts';
import { createLedgerMigration } from './002-ledger.ts';
import { tableReadsMigration } from './003-table-reads.ts';
import { upstreamCountsMigration } from './004-upstream-counts.ts';
import { createReadingMigration } from './005-reading.ts';
import { fewerIndexesMigration } from './006-fewer-indexes.ts';
import { upstreamFactsMigration } from './007-upstream-facts.ts';
import { lastingSlugsMigration } from './008-lasting-slugs.ts';
import { transitionsMigration } from './009-transitions.ts';
import { readingsMigration } from './010-readings.ts';
import { dueDeliveriesMigration } from './011-due-deliveries.ts';
import { replyIdsMigration } from './012-reply-ids.ts';
import { requestListsMigration } from './013-request-lists.ts';
import { listsMigration } from './014-lists.ts';
import { readyDeliveriesMigration } from './015-ready-deliveries.ts';
import { ownedFactsMigration } from './016-owned-facts.ts';
import { spentSignInsMigration } from './017-spent-sign-ins.ts';
import { recentCostsMigration } from './018-recent-costs.ts';
import { rejectedRequestsMigration } from './019-rejected-requests.ts';
import { remindersMigration } from './020-reminders.ts';

/** All migrations by name, in the order of the names. Later ones drop nothing but indexes, so that versions may run side by side. */
export function createMigrations(kind: DatabaseKind): Readonly<Record<string, Migration>> {
  return {
    '001': migration001,
    '002-ledger': createLedgerMigration(kind),
    '003-table-reads': tableReadsMigration,
    '004-upstream-counts': upstreamCountsMigration,
    '005-reading': createReadingMigration(kind),
    '006-fewer-indexes': fewerIndexesMigration,
    '007-upstream-facts': upstreamFactsMigration,
    '008-lasting-slugs': lastingSlugsMigration,
    '009-transitions': transitionsMigration,
    '010-readings': readingsMigration,
    '011-due-deliveries': dueDeliveriesMigration,
    '012-reply-ids': replyIdsMigration,
    '013-request-lists': requestListsMigration,
    '014-lists': listsMigration,
    '015-ready-deliveries': readyDeliveriesMigration,
    '016-owned-facts': ownedFactsMigration,
    '017-spent-sign-ins': spentSignInsMigration,
    '018-recent-costs': recentCostsMigration,
    '019-rejected-requests': rejectedRequestsMigration,
    '020-reminders': remindersMigration,
  };
}
