import { createApiError } from '#lib/http/errors/errors.ts';
import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import type { IssuedKey, KeyRegister } from '#lib/keys/key-register.ts';
import { type KeyRecord, toKeyOwner } from '#lib/keys/store/key-record.ts';
import type { UsageRow } from '#lib/spend/ledger/usage-record.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import type { RejectionCount } from '#lib/spend/store/rejection-store.ts';
import { readRequests } from '#lib/spend/store/request-reader.ts';
import { type AuditEntry, auditList } from '#lib/storage/audit-log.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { readByOffset, toPages } from '../files/file-response.ts';
import { readListQuery } from '../lists/list-query.ts';
import { readAllPages } from '../lists/list-view.ts';
import type { ToIdentities } from '../member-identities.ts';
import type { Member } from '../store/member-record.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { AccountStores } from '../store/stores.ts';
import { toShownAccounts } from './budget-view.ts';
import { toPlaygroundKeyId } from './playground-key.ts';
import { loadUsage, type UsageData } from './usage-data.ts';
import { readUsageSpan } from './usage-span.ts';

/** What a member has: keys, usage, sessions. */
export type Account = Readonly<{
  /** These four: @throws HttpError with the code of a `KeyProblem`. */
  createKey: (member: Member, input: CreateKeyInput) => Promise<IssuedKey>;
  rotateKey: (member: Member, id: string) => Promise<IssuedKey>;
  renameKey: (member: Member, id: string, name: string) => Promise<KeyRecord>;
  revokeKey: (member: Member, id: string) => Promise<KeyRecord>;
  /** The key in full, if it is the member's: to show it once. */
  findKeyByText: (member: Member, text: string) => Promise<KeyRecord | null>;
  /** With the balances of all that the member’s requests are charged to, by day, of this week and this month. */
  load: (member: Member) => Promise<LoadedAccount>;
  /** All that is stored. */
  loadAll: (member: Member) => Promise<MemberRecords>;
  endSession: (member: Member, id: string) => Promise<void>;
  /**
   * Removes the member, with sessions and names; usage stays as numbers. Until the month has ended, a person who signs in
   * again gets the same budgets with what was used of them.
   */
  remove: (member: Member) => Promise<void>;
}>;

export type AccountData = UsageData &
  Readonly<{
    sessions: readonly SessionRecord[];
    today: string;
  }>;

type LoadedAccount = AccountData &
  Readonly<{ balances: readonly Balance[]; lostKeys: readonly LostKey[] }>;

/** A key that was revoked since it is not secret any more: the member is told for 30 days. */
export type LostKey = Readonly<{ id: string; name: string; at: number; how: LostKeyAction }>;

const lostKeyActions = ['key.leaked', 'key.given-up'] as const;
type LostKeyAction = (typeof lostKeyActions)[number];
/** More would fill the page. */
const lostKeysMax = 5;

/** All that is stored of a member, besides the member. Of most there may be more than fits into memory: they are read in pages. */
export type MemberRecords = Readonly<{
  /** Revoked ones, too, oldest first. */
  keys: readonly KeyRecord[];
  sessions: readonly SessionRecord[];
  /** Whether alerts come by mail. */
  wantsAlerts: boolean;
  /** By the member or about them, the newest first. */
  changes: Pages<AuditEntry>;
  /** Of the member and of its keys. */
  balances: Pages<Balance>;
  rejections: Pages<RejectionCount>;
  /** The newest first. */
  requests: Pages<UsageRow>;
}>;

type Pages<T> = AsyncIterable<readonly T[]>;

type AccountOptions = Readonly<{
  database: Pick<
    AccountStores,
    'members' | 'sessions' | 'keys' | 'usage' | 'balances' | 'rejections' | 'readList'
  >;
  register: KeyRegister;
  toIdentities: ToIdentities;
  now: () => number;
}>;

export function createAccount(options: AccountOptions): Account {
  const { database, register, toIdentities } = options;
  return {
    createKey: (member, input) => register.create(input, toKeyOwner(member)),
    async rotateKey(member, id) {
      await requireOwn(options, member, id);
      return register.rotate(id, member.id);
    },
    async renameKey(member, id, name) {
      await requireOwn(options, member, id);
      return register.update(id, { name }, member.id);
    },
    async revokeKey(member, id) {
      await requireOwn(options, member, id);
      return register.revoke(id, member.id);
    },
    async findKeyByText(member, text) {
      const key = await register.find(text).catch(() => null);
      return key?.owner?.id === member.id ? key : null;
    },
    load: (member) => loadAccount(options, member),
    loadAll: ({ id }) => loadRecords(options, id),
    async endSession(member, id) {
      await database.sessions.end(id, member.id);
    },
    async remove(member) {
      // There is always one.
      const [identity = ''] = toIdentities(member);
      await database.members.remove(member.id, identity, member.id);
    },
  };
}

/** A key of another member is no key. */
async function requireOwn({ database }: AccountOptions, member: Member, id: string): Promise<void> {
  const key = await database.keys.find('id', id);
  if (key?.owner?.id === member.id && key.revokedAt === null) return;
  throw createApiError('not_found', { message: 'You have no such key.' });
}

async function loadAccount(options: AccountOptions, member: Member): Promise<LoadedAccount> {
  const { database, now } = options;
  const today = toUtcDay(now());
  const [data, sessions] = await Promise.all([
    loadUsage(database, member.id, readUsageSpan({}, now())),
    database.sessions.list(member.id),
  ]);
  const keys = data.keys.filter(isActive);
  const accounts = toShownAccounts({ member, keys });
  const [balances, lostKeys] = await Promise.all([
    database.balances.find(accounts, toPeriodDays(today)),
    findLostKeys(options, member, data.keys),
  ]);
  return { ...data, keys, sessions, today, balances, lostKeys };
}

async function findLostKeys(
  { database, now }: AccountOptions,
  member: Member,
  keys: readonly KeyRecord[],
): Promise<LostKey[]> {
  const revoked = new Map(keys.filter((key) => !isActive(key)).map((key) => [key.id, key]));
  if (revoked.size === 0) return [];
  const found = lostKeyActions.map(async (how) => {
    const query = readListQuery(auditList, { person: member.id, action: how });
    const page = await database.readList(auditList, { ...query, limit: lostKeysMax }, now());
    return page.rows.flatMap(({ target: id, at }) => {
      const key = revoked.get(id);
      return key === undefined ? [] : { id, name: key.name, at, how };
    });
  });
  return (await Promise.all(found)).flat().slice(0, lostKeysMax);
}

async function loadRecords({ database, now }: AccountOptions, id: string): Promise<MemberRecords> {
  const { keys: keyStore, members, sessions, usage, balances, rejections, readList } = database;
  const keys = await keyStore.list(id);
  const keyIds = [...keys.map((key) => key.id), toPlaygroundKeyId(id)];
  async function* readBalances() {
    for (const account of [`member:${id}`, ...keyIds.map((keyId) => `key:${keyId}`)]) {
      yield* toPages(await balances.listOf(account));
    }
  }
  async function* readRejections() {
    for (const keyId of keyIds) yield* readByOffset((page) => rejections.list(keyId, page));
  }
  return {
    keys,
    sessions: await sessions.list(id),
    wantsAlerts: await members.wantsAlerts(id),
    changes: readAllPages(
      (query) => readList(auditList, query, now()),
      readListQuery(auditList, { person: id }),
    ),
    balances: readBalances(),
    rejections: readRejections(),
    requests: readRequests(usage.listRequests, { owner: { memberId: id } }),
  };
}

function isActive({ revokedAt }: KeyRecord): boolean {
  return revokedAt === null;
}
