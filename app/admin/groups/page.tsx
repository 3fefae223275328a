import type { Metadata } from 'next';
import { type GroupSummary, groups } from '#lib/accounts/admin/group-list.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import { PostForm, SignInNotice } from '../../_components/area/post-form.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { DollarCell, toDollars } from '../../_components/area/words.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { BudgetField } from '../_components/budget-field.tsx';

export const metadata: Metadata = toAdminMetadata('Groups');

/** Groups of members, with the budgets that they share. */
export default async function GroupsPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const { values, query, source } = await openList(groups, searchParams);
  const { rows, ...place } = await groups.load(source, query);
  return (
    <AdminPage
      path={groups.path}
      title="Groups"
      lead="Members of a group share its budget. Their own budgets still apply."
      query={values}
    >
      <SignInNotice ageMs={ageMs} to={groups.path} purpose="to change groups" />
      <details open={values.problem !== undefined || rows.length === 0}>
        <summary>Create a group</summary>
        <PostForm action="/admin/groups/change" formToken={formToken} className="card create-key">
          <div className="field-row">
            <InputField
              id="name"
              name="name"
              label="Name"
              defaultValue={values.name}
              required
              maxLength={100}
            />
            <BudgetField value={values.budget ?? ''} />
          </div>
          <p>
            <button type="submit" name="action" value="create" className="button">
              Create group
            </button>
          </p>
        </PostForm>
      </details>
      <ListFrame list={groups} query={query} place={place}>
        {rows.length === 0 ? <p className="lead">None.</p> : <GroupTable rows={rows} />}
      </ListFrame>
    </AdminPage>
  );
}

function GroupTable({ rows }: Readonly<{ rows: readonly GroupSummary[] }>) {
  return (
    <DataTable
      caption="Groups"
      rows={rows}
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
