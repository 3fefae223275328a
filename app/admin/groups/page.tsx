import type { Metadata } from 'next';
import { type GroupSummary, loadGroupList } from '#lib/accounts/admin/group-list.ts';
import { readListQuery, toListParameters } from '#lib/accounts/admin/list-query.ts';
import { groupList } from '#lib/accounts/store/group-store.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { PostForm, SignInNotice } from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { DollarCell, toDollars } from '../../_components/area/words.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { BudgetField } from '../_components/budget-field.tsx';
import { ListForm, ListLinks } from '../_components/long-list.tsx';

export const metadata: Metadata = toAdminMetadata('Groups');

const choices = [
  {
    name: 'sort',
    label: 'Order',
    options: [
      ['', 'Name'],
      ['cost', 'Cost this month'],
      ['members', 'Members'],
    ],
  },
] as const;

/** Groups of members, with the budgets that they share. */
export default async function GroupsPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const asked = readListQuery(groupList, query);
  const { rows, ...place } = await loadGroupList(getServices().database, {
    ...asked,
    now: Date.now(),
  });
  const parameters = toListParameters(groupList, asked);
  return (
    <AdminPage
      path="/admin/groups"
      title="Groups"
      lead="Members of a group share its budget. Their own budgets still apply."
      query={query}
    >
      <SignInNotice ageMs={ageMs} to="/admin/groups" purpose="to change groups" />
      <details open={query.problem !== undefined || rows.length === 0}>
        <summary>Create a group</summary>
        <PostForm action="/admin/groups/change" formToken={formToken} className="card create-key">
          <div className="field-row">
            <InputField
              id="name"
              name="name"
              label="Name"
              defaultValue={query.name}
              required
              maxLength={100}
            />
            <BudgetField value={query.budget ?? ''} />
          </div>
          <p>
            <button type="submit" name="action" value="create" className="button">
              Create group
            </button>
          </p>
        </PostForm>
      </details>
      <ListForm
        action="/admin/groups"
        label="Name of a group"
        parameters={parameters}
        choices={choices}
      />
      {rows.length === 0 ? <p className="lead">None.</p> : <GroupTable groups={rows} />}
      <ListLinks path="/admin/groups" parameters={parameters} place={place} />
    </AdminPage>
  );
}

function GroupTable({ groups }: Readonly<{ groups: readonly GroupSummary[] }>) {
  return (
    <DataTable
      caption="Groups"
      rows={groups}
      toId={({ name }) => name}
      columns={[
        [
          'Group',
          ({ name }) => <a href={`/admin/group?${new URLSearchParams({ name })}`}>{name}</a>,
        ],
        ['Budget', ({ budget }) => (budget === null ? 'none' : formatBudget(budget))],
        ['Cost this month', ({ nanoUsd }) => <DollarCell text={toDollars(nanoUsd / 1e9)} />],
        ['Tokens', ({ tokens }) => formatCount(tokens)],
        ['Members', ({ members }) => formatCount(members)],
      ]}
      numbers={['Cost this month', 'Tokens', 'Members']}
      className="admin-table"
    />
  );
}
