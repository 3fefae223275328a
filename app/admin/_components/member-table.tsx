import { countTokens } from '#lib/accounts/account/account-view.ts';
import type { MemberSummary } from '#lib/accounts/admin/member-list.ts';
import { DataTable } from '../../account/_components/data-table.tsx';
import { Day, toCount, toDollars } from '../../account/_components/words.tsx';

const headings = ['Member', 'Tokens, 30 days', 'Cost', 'Keys', 'Group', 'Last seen', 'Joined'];
const numbers = ['Tokens, 30 days', 'Cost', 'Keys'];

/** Members, each with a link to their page. */
export function MemberTable({ members }: Readonly<{ members: readonly MemberSummary[] }>) {
  const max = Math.max(...members.map(({ usage }) => countTokens(usage)), 1);
  return (
    <DataTable caption="Members" headings={headings} numbers={numbers} className="admin-table">
      {members.map((member) => (
        <Row key={member.id} {...member} tokensMax={max} />
      ))}
    </DataTable>
  );
}

function Row(member: MemberSummary & Readonly<{ tokensMax: number }>) {
  const tokens = countTokens(member.usage);
  return (
    <tr className={member.isDisabled ? 'is-off' : undefined}>
      <th scope="row">
        <a href={`/admin/members/${member.id}`}>{member.name}</a>
        <MemberBadges {...member} />
        <span className="quiet member-address">{member.email ?? 'No verified address'}</span>
      </th>
      <td data-number="" data-label="Tokens, 30 days">
        {toCount(tokens)}
        <span
          className="share-bar"
          style={{ inlineSize: `${(100 * tokens) / member.tokensMax}%` }}
        />
      </td>
      <td data-number="" data-label="Cost">
        {toDollars(member.usage.costUsd)}
      </td>
      <td data-number="" data-label="Keys">
        {toCount(member.keys)}
      </td>
      <td className="names" data-label="Group">
        {member.group ?? '–'}
      </td>
      <td data-label="Last seen">
        <Day timeMs={member.lastSeenAt} />
      </td>
      <td data-label="Joined">
        <Day timeMs={member.joinedAt} />
      </td>
    </tr>
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
