import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { countTokens } from '#lib/accounts/account/account-view.ts';
import { keys } from '#lib/accounts/admin/key-list.ts';
import { log } from '#lib/accounts/admin/log-list.ts';
import { loadMember } from '#lib/accounts/admin/member-list.ts';
import { readListQuery } from '#lib/accounts/lists/list-query.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import { formatBudget } from '#lib/config/budget.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { SignInNotice } from '../../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../../_components/area/read-query.ts';
import { CachedShare } from '../../../_components/area/usage-tables.tsx';
import { Moment, toDollars } from '../../../_components/area/words.tsx';
import { Fact } from '../../../_components/fact.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../../_components/admin-page.tsx';
import { AuditLines } from '../../_components/audit-lines.tsx';
import { KeyTable } from '../../_components/key-table.tsx';
import { MemberForms } from '../../_components/member-forms.tsx';
import { MemberBadges } from '../../_components/member-table.tsx';

export const metadata: Metadata = toAdminMetadata('Member');

type MemberPageProps = QueryPageProps & Readonly<{ params: Promise<{ id: string }> }>;

const linesMax = 10;

/** A member, and what an admin may change about them. */
export default async function MemberPage({ params, searchParams }: MemberPageProps) {
  const { member: self, formToken, ageMs } = await requireAdmin();
  const [{ id }, query] = await Promise.all([params, readQuery(searchParams)]);
  const { database, config } = getServices();
  const source = toListSource({ database, config });
  const member = await loadMember(source, decodeURIComponent(id));
  if (member === null) notFound();
  const ofMember = { person: member.id };
  const [owned, groups, changes] = await Promise.all([
    keys.load(source, readListQuery(keys, ofMember)),
    database.groups.list(),
    log.load(source, { ...readListQuery(log, ofMember), limit: linesMax }),
  ]);
  const search = new URLSearchParams(ofMember);
  const { usage } = member;
  const page = `/admin/members/${member.id}`;
  return (
    <AdminPage
      path="/admin/members"
      title={member.name}
      lead={
        <>
          {member.email ?? 'No verified address'}
          <MemberBadges {...member} />
        </>
      }
      query={query}
    >
      <SignInNotice ageMs={ageMs} to={page} purpose="to change this member" />
      <dl className="usage-sums">
        <Fact term="Tokens in 30 days">{formatCount(countTokens(usage))}</Fact>
        <CachedShare total={usage} />
        <Fact term="Requests in 30 days">{formatCount(usage.requests)}</Fact>
        <Fact term="Cost in 30 days">{toDollars(usage.costUsd)}</Fact>
        <Fact term="Active keys">{formatCount(member.keys)}</Fact>
      </dl>
      <p className="quiet">
        Joined <Moment timeMs={member.joinedAt} />, last seen <Moment timeMs={member.lastSeenAt} />.{' '}
        <a href={`/admin/requests?${search}`}>Their requests</a>
      </p>
      <section className="section" aria-labelledby="change">
        <h2 id="change">Budget, group and access</h2>
        <MemberForms
          member={member}
          budget={member.budget === null ? '' : formatBudget(member.budget)}
          defaultBudget={formatBudget(config.keys.memberBudget)}
          groups={groups.map(({ name }) => name)}
          formToken={formToken}
          isSelf={member.id === self.id}
        />
      </section>
      <section className="section" aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        {owned.total === 0 ? (
          <p className="lead">None yet.</p>
        ) : (
          <KeyTable keys={owned.rows} formToken={formToken} page={page} />
        )}
        {owned.total > owned.rows.length && (
          <p>
            <a className="button-quiet" href={`/admin/keys?${search}`}>
              All {formatCount(owned.total)} keys
            </a>
          </p>
        )}
      </section>
      <section className="section" aria-labelledby="log">
        <h2 id="log">Log</h2>
        <AuditLines lines={changes.rows} />
        {changes.total > linesMax && (
          <p>
            <a className="button-quiet" href={`/admin/log?${search}`}>
              All {formatCount(changes.total)} entries
            </a>
          </p>
        )}
      </section>
    </AdminPage>
  );
}
