import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadGroup } from '#lib/accounts/admin/group-list.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import {
  ActionButton,
  ConfirmBox,
  PostForm,
  SignInNotice,
} from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { Moment, toDollars } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';
import { BudgetField } from '../_components/budget-field.tsx';

export const metadata: Metadata = toAdminMetadata('Group');

/** A group, and what an admin may change about it. Its name may be anything, so that it is no part of the path. */
export default async function GroupPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const group = await loadGroup(toListSource(getServices()), query.name ?? '');
  if (group === null) notFound();
  const { name, budget, members, tokens, nanoUsd, createdAt } = group;
  const form = { action: '/admin/groups/change', formToken };
  const search = new URLSearchParams({ name });
  return (
    <AdminPage
      path="/admin/groups"
      title={name}
      lead={budget === null ? 'A group without a budget.' : `Budget: ${formatBudget(budget)}`}
      query={query}
    >
      <SignInNotice ageMs={ageMs} to={`/admin/group?${search}`} purpose="to change this group" />
      <dl className="usage-sums">
        <Fact term="Cost this month">{toDollars(nanoUsd / 1e9)}</Fact>
        <Fact term="Tokens this month">{formatCount(tokens)}</Fact>
        <Fact term="Members">
          <a href={`/admin/members?${new URLSearchParams({ group: name })}`}>
            {formatCount(members)}
          </a>
        </Fact>
      </dl>
      <p className="quiet">
        Created <Moment timeMs={createdAt} />
      </p>
      <section className="section" aria-labelledby="change">
        <h2 id="change">Budget and removal</h2>
        <div className="admin-forms">
          <PostForm {...form}>
            <input type="hidden" name="name" value={name} />
            <BudgetField value={budget === null ? '' : formatBudget(budget)} />
            <ActionButton value="budget">Set budget</ActionButton>
          </PostForm>
          <PostForm {...form}>
            <input type="hidden" name="name" value={name} />
            <ConfirmBox>
              Remove <em>{name}</em>? Its members stay, without its budget.
            </ConfirmBox>
            <ActionButton value="remove" isWrong>
              Remove group
            </ActionButton>
          </PostForm>
        </div>
      </section>
    </AdminPage>
  );
}
