import type { CreateKeyInput } from '#lib/keys/create-key-input.ts';
import type { IssuedKey, KeyRegister } from '#lib/keys/key-register.ts';
import type { KeyOwner, KeyRecord } from '#lib/keys/store/key-record.ts';
import { shownDays, toFirstDay, toUtcDay } from '#lib/spend/budgets/periods.ts';
import type { Balance } from '#lib/spend/store/plan-balances.ts';
import type { KeyUsageSum } from '#lib/spend/store/usage-sums.ts';
import type { Database } from '#lib/storage/database.ts';
import type { AuditEntry } from '#lib/storage/stores/audit-log.ts';
import type { Member } from '#lib/storage/stores/member-store.ts';
import type { SessionRecord } from '#lib/storage/stores/session-store.ts';
import { toShownAccounts } from './budget-view.ts';
import { toPlaygroundKeyId } from './playground-key.ts';

/** What a member has: keys, usage, sessions. */
export type Account = Readonly<{
  createKey: (member: Member, input: CreateKeyInput) => Promise<IssuedKey>;
  /** These three: null if the member has no such key. @throws Error with one line on what to change. */
  rotateKey: (member: Member, id: string) => Promise<IssuedKey | null>;
  renameKey: (member: Member, id: string, name: string) => Promise<KeyRecord | null>;
  revokeKey: (member: Member, id: string) => Promise<KeyRecord | null>;
  /** The key in full, if it is the member's: to show it once. */
  findKeyByText: (member: Member, text: string) => Promise<KeyRecord | null>;
  countKeys: (member: Member) => Promise<KeyCounts>;
  /** With the balances of all that the member’s requests are charged to, today and this month. */
  load: (member: Member) => Promise<AccountData & Readonly<{ balances: readonly Balance[] }>>;
  /** All that is stored: revoked keys, too, and usage and changes since the member came. */
  loadAll: (member: Member) => Promise<AccountData & Readonly<{ changes: readonly AuditEntry[] }>>;
  endSession: (member: Member, id: string) => Promise<void>;
  /** Removes the member, with sessions and names; usage stays as sums of nobody. */
  remove: (member: Member) => Promise<void>;
}>;

/** Keys of a member: those that are not revoked, and all that were made within a day. */
export type KeyCounts = Readonly<{ active: number; madeToday: number }>;

export type AccountData = Readonly<{
  /** Newest first; of `load`, those that work or have expired. */
  keys: readonly KeyRecord[];
  sessions: readonly SessionRecord[];
  /** By day, model and key, since `fromDay`. */
  usage: readonly KeyUsageSum[];
  /** When each key was used last, Unix ms. */
  lastUsed: ReadonlyMap<string, number>;
  /** Today, and the first day of `usage`, in UTC. */
  today: string;
  fromDay: string;
}>;

export type AccountOptions = Readonly<{
  database: Pick<Database, 'members' | 'sessions' | 'keys' | 'usage' | 'balances' | 'auditLog'>;
  register: KeyRegister;
  now: () => number;
}>;

const dayMs = 86_400_000;
/** More than a member makes in the days that changes are stored. */
const changesMax = 100_000;

export function createAccount({ database, register, now }: AccountOptions): Account {
  /** A key of another member is no key. */
  async function findOwn(member: Member, id: string): Promise<KeyRecord | null> {
    const key = await database.keys.find('id', id);
    return key?.owner?.id === member.id && key.revokedAt === null ? key : null;
  }

  async function loadSince({ id }: Member, fromDay: string): Promise<AccountData> {
    const today = toUtcDay(now());
    const [all, sessions] = await Promise.all([database.keys.list(id), database.sessions.list(id)]);
    const startedAt = Date.parse(fromDay);
    const keys = all.filter(({ revokedAt }) => revokedAt === null || revokedAt >= startedAt);
    const ids = [...keys.map((key) => key.id), toPlaygroundKeyId(id)];
    const [usage, lastUsed] = await Promise.all([
      database.usage.sumOfKeys(ids, fromDay),
      database.usage.lastUsed(ids),
    ]);
    return { keys: keys.reverse(), sessions, usage, lastUsed: new Map(lastUsed), today, fromDay };
  }

  return {
    createKey: (member, input) => register.create(input, toOwner(member)),
    async rotateKey(member, id) {
      return (await findOwn(member, id)) === null ? null : register.rotate(id, member.id);
    },
    async renameKey(member, id, name) {
      return (await findOwn(member, id)) === null ? null : register.update(id, { name }, member.id);
    },
    async revokeKey(member, id) {
      return (await findOwn(member, id)) === null ? null : register.revoke(id, member.id);
    },
    async findKeyByText(member, text) {
      const key = await register.find(text).catch(() => null);
      return key?.owner?.id === member.id ? key : null;
    },
    async countKeys({ id }) {
      const keys = await database.keys.list(id);
      return {
        active: keys.filter(isActive).length,
        madeToday: keys.filter(({ createdAt }) => createdAt > now() - dayMs).length,
      };
    },
    async load(member) {
      const data = await loadSince(member, toFirstDay(shownDays, now()));
      const keys = data.keys.filter(isActive);
      const accounts = toShownAccounts({ member, keys });
      const periods = [data.today, data.today.slice(0, 7)];
      return { ...data, keys, balances: await database.balances.find(accounts, periods) };
    },
    async loadAll(member) {
      const page = { limit: changesMax, offset: 0 };
      const [data, { entries }] = await Promise.all([
        loadSince(member, toUtcDay(member.createdAt)),
        database.auditLog.list({ memberId: member.id }, page),
      ]);
      return { ...data, changes: entries };
    },
    async endSession(member, id) {
      await database.sessions.end(id, member.id);
    },
    remove: (member) => database.members.remove(member.id, member.id),
  };
}

function isActive({ revokedAt }: KeyRecord): boolean {
  return revokedAt === null;
}

/** As the owner of a key. */
export function toOwner({ disabledAt, ...member }: Member): KeyOwner {
  const { id, email, claims, confirmedAt, budget, group } = member;
  return { id, email, claims, confirmedAt, isDisabled: disabledAt !== null, budget, group };
}
