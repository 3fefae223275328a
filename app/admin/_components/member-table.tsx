import { countTokens } from '#lib/accounts/account/account-view.ts';
import type { MemberSummary } from '#lib/accounts/admin/member-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { DataTable, ShareBar } from '../../_components/area/data-table.tsx';
import { Day, DollarCell, toCostText } from '../../_components/area/words.tsx';

/** Members, each with a link to their page. */
export function MemberTable({ members }: Readonly<{ members: readonly MemberSummary[] }>) {
  const max = Math.max(...members.map(({ usage }) => countTokens(usage)), 1);
  return (
    <DataTable
      caption="Members"
      rows={members}
      toId={({ id }) => id}
      isOff={({ isDisabled }) => isDisabled}
      columns={[
        [
          'Member',
          (member) => (
            <>
              <a href={`/admin/members/${member.id}`}>{member.name}</a>
              <MemberBadges {...member} />
              <span className="quiet member-address">{member.email ?? 'No verified address'}</span>
            </>
          ),
        ],
        [
          'Tokens, 30 days',
          ({ usage }) => (
            <>
              {formatCount(countTokens(usage))}
              <ShareBar share={countTokens(usage) / max} />
            </>
          ),
        ],
        ['Cost', ({ usage }) => <DollarCell text={toCostText(usage)} />],
        ['Keys', ({ keys }) => formatCount(keys)],
        ['Group', ({ group }) => group ?? '–'],
        ['Last seen', ({ lastSeenAt }) => <Day timeMs={lastSeenAt} />],
        ['Joined', ({ joinedAt }) => <Day timeMs={joinedAt} />],
      ]}
      numbers={['Tokens, 30 days', 'Cost', 'Keys']}
      className="admin-table"
    />
  );
}

type MemberBadgesProps = Pick<MemberSummary, 'isAdmin' | 'isDisabled'>;

export function MemberBadges({ isAdmin, isDisabled }: MemberBadgesProps) {
  return (
    <>
      {isAdmin && <span className="badge">Admin</span>}
      {isDisabled && <span className="badge badge-off">Disabled</span>}
    </>
  );
}
