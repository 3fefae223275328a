import {
  type BudgetDefaults,
  type BudgetView,
  toBudgetViews,
} from '#lib/accounts/account/budget-view.ts';
import type { Member } from '#lib/accounts/store/member-record.ts';
import type { KeyRecord } from '#lib/keys/store/key-record.ts';
import type { Balance } from '#lib/spend/store/balance-store.ts';
import { toUtcDay } from '#lib/storage/days.ts';

/** What one member is told. */
type MemberAlert = Readonly<{
  cause: string;
  period: string;
  subject: string;
  text: string;
}>;

type MemberState = Readonly<{
  member: Member;
  /** Revoked ones, too. */
  keys: readonly KeyRecord[];
  balances: readonly Balance[];
  /** Keys that somebody else has revoked. */
  revokedByOthers: ReadonlySet<string>;
}>;

const dayMs = 86_400_000;
const expiresWithinMs = 7 * dayMs;
/** A key that was revoked earlier is no news. */
const revokedWithinMs = dayMs;

/** What a member has to hear of their budgets and keys now. */
export function findMemberAlerts(
  { member, keys, balances, revokedByOthers }: MemberState,
  options: BudgetDefaults & Readonly<{ now: number }>,
): MemberAlert[] {
  const { now } = options;
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  const budgets = toBudgetViews({ member, keys: active }, balances, options);
  return [
    ...budgets.flatMap((budget) => toBudgetAlert(member.id, budget) ?? []),
    ...active.flatMap((key) => toExpiryAlert(key, now) ?? []),
    ...keys
      .filter(({ id, revokedAt }) => revokedAt !== null && revokedByOthers.has(id))
      .filter(({ revokedAt }) => (revokedAt ?? 0) > now - revokedWithinMs)
      .map(toRevokedAlert),
  ];
}

/** The budgets of a group and of the site are no member's own: their numbers tell about others. */
function toBudgetAlert(memberId: string, budget: BudgetView): MemberAlert | null {
  const { title, period, when, unit, numbers, state, resetsAt } = budget;
  if (state === 'ok' || numbers === null) return null;
  const { left, limit } = numbers;
  const [name, digits] = unit === 'usd' ? (['USD', 2] as const) : (['tokens', 0] as const);
  const write = (amount: number) =>
    amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const whose =
    title === 'Your account' ? 'Your budget' : `The budget of ${title.replace('Key', 'key')}`;
  const ends = toUtcDay(resetsAt);
  const isUsedUp = state === 'used-up';
  return {
    cause: `budget ${memberId} ${title} ${period} ${unit} ${isUsedUp ? 100 : 80}`,
    period: String(resetsAt),
    subject: isUsedUp ? `${whose} is used up` : `${whose} is 80% used`,
    text: isUsedUp
      ? `${whose} of ${write(limit)} ${name} a ${period} is used up. It starts again on ${ends} at 0:00 (UTC).`
      : `${write(left)} of ${write(limit)} ${name} are left ${when}. The budget starts again on ${ends} at 0:00 (UTC).`,
  };
}

function toExpiryAlert({ id, name, expiresAt }: KeyRecord, now: number): MemberAlert | null {
  if (expiresAt === null || expiresAt <= now || expiresAt > now + expiresWithinMs) return null;
  const day = toUtcDay(expiresAt);
  return {
    cause: `key ${id} expires`,
    period: String(expiresAt),
    subject: `Your key “${name}” expires on ${day}`,
    text: `Your key “${name}” stops working on ${day}. Create another one before that day, and use it instead.`,
  };
}

function toRevokedAlert({ id, name }: KeyRecord): MemberAlert {
  return {
    cause: `key ${id} revoked`,
    period: '',
    subject: `Your key “${name}” was revoked`,
    text: `Your key “${name}” no longer works: an admin or the operator revoked it, or somebody else had it.`,
  };
}
