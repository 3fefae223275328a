import type { FormAction } from '../routes/account-route.ts';
import { readBudget } from '../routes/read-form.ts';
import { redirectTo } from '../routes/redirect-to.ts';
import type { AccountStores } from '../store/stores.ts';
import type { AdminProblem } from './problems.ts';

/** What the forms of the admin pages do. Each change is in the audit log. */

type Services = Readonly<{ database: AccountStores }>;
type Action<P> = FormAction<Services, P>;

/** Disables, enables or signs out a member, or sets their group or budget, as `action` says. */
export const changeMember: Action<{ id: string }> = async (
  { form, signedIn, params: { id } },
  { database: { members, sessions } },
) => {
  const by = signedIn.member.id;
  const path = `/admin/members/${encodeURIComponent(id)}`;
  const action = form.get('action');
  const finish = (isChanged: boolean, problem: AdminProblem) =>
    redirectTo(isChanged ? `${path}?done=${action}` : `${path}?problem=${problem}`);
  switch (action) {
    case 'disable':
      if (id === by) return finish(false, 'self');
      if (!isConfirmed(form)) return finish(false, 'confirm');
      return finish(await members.setDisabled(id, true, by), 'no-member');
    case 'enable':
      return finish(await members.setDisabled(id, false, by), 'no-member');
    case 'sign-out':
      return finish(await sessions.endAll(id, by), 'no-session');
    case 'group':
      return finish(await members.setGroup(id, form.get('group') || null, by), 'no-group');
    case 'budget': {
      const budget = readBudget(form);
      if (budget === undefined) return finish(false, 'budget');
      return finish(await members.setBudget(id, budget, by), 'no-member');
    }
    default:
      return redirectTo(path);
  }
};

/** Creates a group, sets its budget or removes it, as `action` says. */
export const changeGroup: Action<unknown> = async (
  { form, signedIn },
  { database: { groups } },
) => {
  const by = signedIn.member.id;
  const name = (form.get('name') ?? '').trim();
  const finish = (problem: AdminProblem | null) =>
    redirectTo(
      problem === null
        ? `/admin/groups?done=${action === 'remove' ? 'remove' : 'budget'}`
        : `/admin/groups?problem=${problem}`,
    );
  const action = form.get('action');
  if (action === 'create') return createGroup(form, groups, by);
  if (action === 'remove') {
    if (!isConfirmed(form)) return finish('confirm');
    return finish((await groups.remove(name, by)) ? null : 'no-group');
  }
  const budget = readBudget(form);
  if (budget === undefined) return finish('budget');
  // Another admin may have removed it since the page was loaded.
  return finish((await groups.setBudget(name, budget, by)) ? null : 'no-group');
};

/** After a problem the form has what was typed. */
async function createGroup(
  form: URLSearchParams,
  groups: AccountStores['groups'],
  by: string,
): Promise<Response> {
  const name = (form.get('name') ?? '').trim();
  const report = (problem: AdminProblem) => {
    const typed = { name, budget: form.get('budget') ?? '' };
    return redirectTo(`/admin/groups?${new URLSearchParams({ problem, ...typed })}`);
  };
  if (!isGroupName(name)) return report('group-name');
  const budget = readBudget(form);
  if (budget === undefined) return report('budget');
  const isCreated = await groups.create(name, budget, by);
  return isCreated ? redirectTo('/admin/groups?done=create') : report('group-taken');
}

/** Revokes a member's key, and goes back to the page of its owner or of all keys. */
export const revokeKey: Action<{ id: string }> = async (
  { signedIn, form, params: { id } },
  { database: { keys } },
) => {
  const owner = form.get('owner');
  const path = owner ? `/admin/members/${encodeURIComponent(owner)}` : '/admin/keys';
  const report = (problem: AdminProblem) => redirectTo(`${path}?problem=${problem}`);
  if (!isConfirmed(form)) return report('confirm');
  // An admin account that was taken over must not stop the operator's programs.
  if ((await keys.find('id', id))?.owner === null) return report('operator-key');
  return (await keys.revoke(id, signedIn.member.id))
    ? redirectTo(`${path}?done=revoke`)
    : report('no-key');
};

function isConfirmed(form: URLSearchParams): boolean {
  return form.get('confirm') === 'yes';
}

/** Without control characters, which terminals would obey. */
export function isGroupName(name: string): boolean {
  return /^[^\p{C}]{1,100}$/u.test(name) && name.trim() === name;
}
