import type { MemberSummary } from '#lib/admin/member-list.ts';
import { ScrolledTable } from '../../_components/scrolled.tsx';
import { Day, toCount, toDollars } from '../../account/_components/words.tsx';

/** Members, each with a link to their page. */
export function MemberTable({ members }: Readonly<{ members: readonly MemberSummary[] }>) {
  const max = Math.max(...members.map(({ usage }) => usage.tokensIn + usage.tokensOut), 1);
  return (
    <ScrolledTable className="data-table admin-table">
      <caption className="visually-hidden">Members</caption>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Tokens, 30 days</th>
          <th scope="col">Cost</th>
          <th scope="col">Keys</th>
          <th scope="col">Group</th>
          <th scope="col">Last seen</th>
          <th scope="col">Joined</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <Row key={member.id} {...member} tokensMax={max} />
        ))}
      </tbody>
    </ScrolledTable>
  );
}

function Row(member: MemberSummary & Readonly<{ tokensMax: number }>) {
  const tokens = member.usage.tokensIn + member.usage.tokensOut;
  return (
    <tr className={member.isDisabled ? 'is-off' : undefined}>
      <th scope="row">
        <a href={`/admin/members/${member.id}`}>{member.name}</a>
        <MemberBadges {...member} />
        <span className="quiet member-address">{member.email ?? 'No verified address'}</span>
      </th>
      <td>
        {toCount(tokens)}
        <span
          className="share-bar"
          style={{ inlineSize: `${(100 * tokens) / member.tokensMax}%` }}
        />
      </td>
      <td>{toDollars(member.usage.costUsd)}</td>
      <td>{toCount(member.keys)}</td>
      <td className="names">{member.group ?? '–'}</td>
      <td>
        <Day timeMs={member.lastSeenAt} />
      </td>
      <td>
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
