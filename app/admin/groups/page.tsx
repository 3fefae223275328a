import type { Metadata } from 'next';
import { type GroupSummary, loadGroups } from '#lib/accounts/admin/group-list.ts';
import { findAdminDone, findAdminProblem } from '#lib/accounts/admin/problems.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { getServices } from '#lib/services.ts';
import { Fact } from '../../_components/fact.tsx';
import { ConfirmBox } from '../../account/_components/confirm-box.tsx';
import { FormToken } from '../../account/_components/form-token.tsx';
import { SignInNotice } from '../../account/_components/sign-in-notice.tsx';
import { toCount, toDollars } from '../../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  readQuery,
  requireAdmin,
  toAdminMetadata,
} from '../_components/admin-page.tsx';

export const dynamic = 'force-dynamic';
export const metadata: Metadata = toAdminMetadata('Groups');

/** Groups of members, with the budgets that they share. */
export default async function GroupsPage({ searchParams }: AdminPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const groups = await loadGroups(getServices().database, Date.now());
  return (
    <AdminPage
      path="/admin/groups"
      title="Groups"
      lead="Members of a group share its budget. Their own budgets still apply."
      problem={findAdminProblem(query.problem)}
      done={findAdminDone(query.done)}
    >
      <SignInNotice ageMs={ageMs} to="/admin/groups" purpose="to change groups" />
      {groups.length > 0 && (
        <ul className="key-list">
          {groups.map((group) => (
            <li key={group.name}>
              <GroupFacts {...group} />
              <details>
                <summary>
                  Change<span className="visually-hidden"> {group.name}</span>
                </summary>
                <GroupForms group={group} formToken={formToken} />
              </details>
            </li>
          ))}
        </ul>
      )}
      <form method="post" action="/admin/groups/change" className="create-key">
        <FormToken value={formToken} />
        <h2 className="upstream-name">Create a group</h2>
        <div className="field-row">
          <p className="field">
            <label htmlFor="name">Name</label>
            <input
              id="name"
              name="name"
              defaultValue={query.name}
              required
              maxLength={100}
              autoComplete="off"
            />
          </p>
          <BudgetField id="budget" value={query.budget ?? ''} />
        </div>
        <p>
          <button type="submit" name="action" value="create" className="button">
            Create group
          </button>
        </p>
      </form>
    </AdminPage>
  );
}

function GroupFacts({ name, budget, members, tokens, nanoUsd }: GroupSummary) {
  return (
    <div className="key-facts">
      <h2 className="upstream-name">{name}</h2>
      <dl>
        <Fact term="Budget">{budget === null ? 'none' : formatBudget(budget)}</Fact>
        <Fact term="This month">
          {toCount(tokens)} tokens, {toDollars(nanoUsd / 1e9)}
        </Fact>
        <Fact term="Members">{toCount(members)}</Fact>
      </dl>
    </div>
  );
}

type GroupFormsProps = Readonly<{ group: GroupSummary; formToken: string }>;

function GroupForms({ group: { name, budget }, formToken }: GroupFormsProps) {
  return (
    <div className="key-actions">
      <form method="post" action="/admin/groups/change">
        <FormToken value={formToken} />
        <input type="hidden" name="name" value={name} />
        <BudgetField id={`budget of ${name}`} value={budget === null ? '' : formatBudget(budget)} />
        <button type="submit" name="action" value="budget" className="button-quiet">
          Set budget
        </button>
      </form>
      <form method="post" action="/admin/groups/change">
        <FormToken value={formToken} />
        <input type="hidden" name="name" value={name} />
        <ConfirmBox label="Remove this group; its members stay, without a group" />
        <button type="submit" name="action" value="remove" className="button-quiet button-wrong">
          Remove group
        </button>
      </form>
    </div>
  );
}

function BudgetField({ id, value }: Readonly<{ id: string; value: string }>) {
  return (
    <p className="field">
      <label htmlFor={id}>Budget</label>
      <input
        id={id}
        name="budget"
        defaultValue={value}
        placeholder="50 USD/month"
        maxLength={200}
        autoComplete="off"
      />
    </p>
  );
}
