import type { FactStore } from '#lib/ai-proxy/upstreams/fact-store.ts';
import { isHttpError } from '#lib/http/errors/errors.ts';
import type { KeyProblem } from '#lib/keys/key-register.ts';
import type { FormAction } from '../routes/account-route.ts';
import { redirectTo, toOutcomePath, toReturnPath } from '../routes/redirect-to.ts';
import type { AccountStores } from '../store/stores.ts';
import {
  AdminChangeError,
  groupChanges,
  isGroupChange,
  isMemberChange,
  memberChanges,
} from './changes.ts';
import type { AdminProblem } from './problems.ts';

/** What the forms of the admin pages do: `action` names the change. */

type Services = Readonly<{ database: AccountStores }>;
type Action<P> = FormAction<Services, P>;

/** Disables, enables or signs out a member, or sets their group or budget. */
export const changeMember: Action<{ id: string }> = async (
  { form, signedIn, params: { id } },
  { database },
) => {
  const path = `/admin/members/${encodeURIComponent(id)}`;
  const action = form.get('action');
  if (!isMemberChange(action)) return redirectTo(path);
  const by = signedIn.member.id;
  const isUnconfirmed = action === 'disable' && id !== by && !isConfirmed(form);
  const problem = isUnconfirmed
    ? 'confirm'
    : await findProblem(
        memberChanges[action](database, { id, value: readValue(form, action), by }),
      );
  return redirectTo(problem === null ? `${path}?done=${action}` : `${path}?problem=${problem}`);
};

/** Creates a group, sets its budget or removes it, and goes back to the page with that form. */
export const changeGroup: Action<unknown> = async ({ form, signedIn }, { database }) => {
  const action = form.get('action');
  if (!isGroupChange(action)) return redirectTo('/admin/groups');
  const name = (form.get('name') ?? '').trim();
  const lead = (query: Readonly<Record<string, string>>) => {
    const isOfOne = action !== 'create' && query.done !== 'remove' && query.problem !== 'no-group';
    const path = isOfOne ? '/admin/group' : '/admin/groups';
    return redirectTo(`${path}?${new URLSearchParams({ ...query, ...(isOfOne && { name }) })}`);
  };
  const change = { id: name, value: readValue(form, 'budget'), by: signedIn.member.id };
  const isUnconfirmed = action === 'remove' && !isConfirmed(form);
  const problem = isUnconfirmed
    ? 'confirm'
    : await findProblem(groupChanges[action](database, change));
  if (problem === null) return lead({ done: action });
  // The form of a new group has what was typed.
  const typed = action === 'create' ? { name, budget: change.value ?? '' } : {};
  return lead({ problem, ...typed });
};

/** Why nothing was changed; null: it was. */
async function findProblem(change: Promise<void>): Promise<AdminProblem | null> {
  try {
    await change;
    return null;
  } catch (error) {
    if (error instanceof AdminChangeError) return error.problem;
    throw error;
  }
}

function readValue(form: URLSearchParams, name: string): string | null {
  return (form.get(name) ?? '').trim() || null;
}

/** Revokes a member's key, and goes back to the page with that form. */
export const revokeKey: Action<{ id: string }> = async ({
  signedIn,
  form,
  members: { register },
  params: { id },
}) => {
  const page = toReturnPath(form.get('back') ?? '/admin/keys');
  const report = (problem: AdminProblem) => redirectTo(toOutcomePath(page, { problem }));
  if (!isConfirmed(form)) return report('confirm');
  try {
    const key = await register.find(id);
    // An admin account that was taken over must not stop the operator's programs.
    if (key.owner === null) return report('operator-key');
    await register.revoke(key.id, signedIn.member.id);
    return redirectTo(toOutcomePath(page, { done: 'revoke', key: key.id }));
  } catch (error) {
    if (isHttpError(error) && keyGoneCodes.has(error.code)) return report('no-key');
    throw error;
  }
};

type FactAction = FormAction<
  Readonly<{ database: Readonly<{ upstreamFacts: Pick<FactStore, 'drop'> }> }>,
  unknown
>;

/** Drops what a model has taught of a field, to all processes. */
export const changeUpstream: FactAction = async ({ form, signedIn }, { database }) => {
  const read = (name: string) => form.get(name) ?? '';
  const place = { upstream: read('upstream'), model: read('model'), field: read('field') };
  const isDropped =
    form.get('action') === 'drop' && (await database.upstreamFacts.drop(place, signedIn.member.id));
  return redirectTo(`/admin/upstreams?${isDropped ? 'done=fact-drop' : 'problem=no-fact'}`);
};

/** No key, or one that is revoked. */
const keyGoneCodes: ReadonlySet<string | null> = new Set<KeyProblem>(['not_found', 'key_revoked']);

function isConfirmed(form: URLSearchParams): boolean {
  return form.get('confirm') === 'yes';
}
