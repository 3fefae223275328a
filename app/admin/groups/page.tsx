import type { Metadata } from 'next';
import { type GroupSummary, loadGroups } from '#lib/accounts/admin/group-list.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { getServices } from '#lib/services.ts';
import { Fact } from '../../_components/fact.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import {
  ActionButton,
  ConfirmBox,
  PostForm,
  SignInNotice,
} from '../../account/_components/post-form.tsx';
import { toCount, toDollars } from '../../account/_components/words.tsx';
import {
  AdminPage,
  type AdminPageProps,
  readQuery,
  requireAdmin,
  toAdminMetadata,
} from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Groups');

/** Groups of members, with the budgets that they share. */
export default async function GroupsPage({ searchParams }: AdminPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const form = { action: '/admin/groups/change', formToken };
  const groups = await loadGroups(getServices().database, Date.now());
  return (
    <AdminPage
      path="/admin/groups"
      title="Groups"
      lead="Members of a group share its budget. Their own budgets still apply."
      query={query}
    >
      <SignInNotice ageMs={ageMs} to="/admin/groups" purpose="to change groups" />
      {groups.length > 0 && (
        <ul className="key-list">
          {groups.map((group) => (
            <li key={group.name} className="card">
              <GroupFacts {...group} />
              <details>
                <summary>
                  Change<span className="visually-hidden"> {group.name}</span>
                </summary>
                <GroupForms group={group} form={form} />
              </details>
            </li>
          ))}
        </ul>
      )}
      <PostForm {...form} className="card create-key">
        <h2 className="upstream-name">Create a group</h2>
        <div className="field-row">
          <InputField
            id="name"
            name="name"
            label="Name"
            defaultValue={query.name}
            required
            maxLength={100}
          />
          <BudgetField id="budget" value={query.budget ?? ''} />
        </div>
        <p>
          <button type="submit" name="action" value="create" className="button">
            Create group
          </button>
        </p>
      </PostForm>
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

type GroupFormsProps = Readonly<{
  group: GroupSummary;
  form: Readonly<{ action: string; formToken: string }>;
}>;

function GroupForms({ group: { name, budget }, form }: GroupFormsProps) {
  return (
    <div className="key-actions">
      <PostForm {...form}>
        <input type="hidden" name="name" value={name} />
        <BudgetField id={`budget of ${name}`} value={budget === null ? '' : formatBudget(budget)} />
        <ActionButton value="budget">Set budget</ActionButton>
      </PostForm>
      <PostForm {...form}>
        <input type="hidden" name="name" value={name} />
        <ConfirmBox label="Remove this group; its members stay, without a group" />
        <ActionButton value="remove" isWrong>
          Remove group
        </ActionButton>
      </PostForm>
    </div>
  );
}

function BudgetField({ id, value }: Readonly<{ id: string; value: string }>) {
  return (
    <InputField
      id={id}
      name="budget"
      label="Budget"
      defaultValue={value}
      placeholder="50 USD/month"
      maxLength={200}
    />
  );
}
