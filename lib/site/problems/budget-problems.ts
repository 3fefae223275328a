import { toLimitViews } from '#lib/accounts/account/budget-view.ts';
import type { AccountStores } from '#lib/accounts/store/stores.ts';
import type { Budget } from '#lib/config/budget.ts';
import { toAccountLimits } from '#lib/spend/budgets.ts';
import { toPeriodDays } from '#lib/spend/periods.ts';
import { toUtcDay } from '#lib/storage/days.ts';
import { listFirst, type SiteProblem } from './site-problem.ts';

type Stores = Pick<AccountStores, 'groups' | 'balances' | 'rejections' | 'keys' | 'members'>;
type Options = Readonly<{ totalBudget: Budget | null; now: number }>;

/** Budgets of the site and of groups that are at their end, and keys whose requests were rejected today for a budget. */
export async function findBudgetProblems(
  stores: Stores,
  options: Options,
): Promise<readonly SiteProblem[]> {
  return [
    ...(await findSharedBudgets(stores, options)),
    ...(await findRejectedKeys(stores, options.now)),
  ];
}

async function findSharedBudgets(
  { groups, balances }: Stores,
  { totalBudget, now }: Options,
): Promise<SiteProblem[]> {
  const payer = { keyId: '', memberId: null, groupName: null };
  const noBudgets = { key: null, member: null, group: null, all: null };
  const site = toAccountLimits(payer, { ...noBudgets, all: totalBudget });
  const ofGroups = (await groups.list()).flatMap(({ name, budget }) =>
    toAccountLimits({ ...payer, groupName: name }, { ...noBudgets, group: budget }),
  );
  const limits = [...site, ...ofGroups];
  if (limits.length === 0) return [];
  const accounts = [...new Set(limits.map(({ account }) => account))];
  const found = await balances.find(accounts, toPeriodDays(toUtcDay(now)));
  const byAccount = Map.groupBy(found, ({ account }) => account);
  return limits.flatMap((limit) => {
    const name = limit.account.slice('group:'.length);
    const title = limit.owner === 'all' ? 'the site' : `the group “${name}”`;
    const views = toLimitViews(limit, title, byAccount.get(limit.account) ?? [], now);
    return views.flatMap(({ state, period, unit, resetsAt }) => {
      if (state === 'ok') return [];
      const budget = `The ${unit === 'usd' ? 'dollar' : 'token'} budget of ${title} for the ${period}`;
      return {
        what: `${budget} is ${state === 'used-up' ? 'used up: its requests are rejected' : '80% used'}.`,
        advice: `It starts again on ${toUtcDay(resetsAt)}. ${limit.owner === 'all' ? 'TOTAL_BUDGET sets it.' : 'Raise it on the page of the group.'}`,
        href:
          limit.owner === 'all' ? '/admin/usage' : `/admin/group?${new URLSearchParams({ name })}`,
      };
    });
  });
}

/** Which budget it is, the page of the member says. */
async function findRejectedKeys(
  { rejections, keys }: Stores,
  now: number,
): Promise<readonly SiteProblem[]> {
  const ids = await rejections.findKeys({ day: toUtcDay(now), code: 'insufficient_quota' });
  if (ids.length === 0) return [];
  const names = await keys.names(ids);
  const shown = listFirst(ids.map((id) => `“${names.get(id) ?? id}”`));
  return [
    {
      what: `Requests were rejected today because a budget is used up. Keys: ${shown}.`,
      advice:
        'Raise the budget of the key, its member or its group, or wait until it starts again.',
      href: '/admin/keys?sort=cost',
    },
  ];
}
