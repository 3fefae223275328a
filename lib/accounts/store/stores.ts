import type { KeyStore } from '#lib/keys/store/key-store.ts';
import type { BalanceStore } from '#lib/spend/store/balance-store.ts';
import type { RejectionStore } from '#lib/spend/store/rejection-store.ts';
import type { UsageStore } from '#lib/spend/store/usage-store.ts';
import type { ReadList } from '#lib/storage/lists.ts';
import type { GroupStore } from './group-store.ts';
import type { MemberQueries } from './member-queries.ts';
import type { MemberStore } from './member-store.ts';
import type { SessionStore } from './session-store.ts';

/** What account and admin pages read and write. */
export type AccountStores = Readonly<{
  members: MemberStore & MemberQueries;
  groups: GroupStore;
  sessions: SessionStore;
  keys: KeyStore;
  usage: UsageStore;
  balances: BalanceStore;
  rejections: RejectionStore;
  readList: ReadList;
}>;
