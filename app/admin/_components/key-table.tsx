import { countTokens, formatCachedShare } from '#lib/accounts/account/account-view.ts';
import type { KeySummary } from '#lib/accounts/admin/key-list.ts';
import { ConfirmBox } from '../../account/_components/confirm-box.tsx';
import { DataTable } from '../../account/_components/data-table.tsx';
import { FormToken } from '../../account/_components/form-token.tsx';
import { Day, toCount, toDollars } from '../../account/_components/words.tsx';

const numbers = ['Tokens, 30 days', 'Input cached', 'Cost'];

type KeyTableProps = Readonly<{
  keys: readonly KeySummary[];
  formToken: string;
  /** On the page of this member; by default the owners are shown. */
  ownerId?: string;
}>;

/** API keys, with what they have used, and a way to revoke them. */
export function KeyTable({ keys, formToken, ownerId }: KeyTableProps) {
  const owner = ownerId === undefined ? ['Owner'] : [];
  const headings = [
    'Key',
    ...owner,
    'Tokens, 30 days',
    'Input cached',
    'Cost',
    'Last used',
    'Created',
  ];
  return (
    <DataTable
      caption="API keys"
      headings={headings}
      numbers={numbers}
      action="Revoke"
      className="admin-table"
    >
      {keys.map((key) => (
        <tr key={key.id} className={key.state === 'active' ? undefined : 'is-off'}>
          <th scope="row">
            {key.name}
            {key.state !== 'active' && (
              <span className="badge badge-off">
                {key.state === 'revoked' ? 'Revoked' : 'Expired'}
              </span>
            )}
            <span className="quiet mono member-address">{key.hint || key.id}</span>
          </th>
          {ownerId === undefined && (
            <td className="names" data-label="Owner">
              <Owner owner={key.owner} />
            </td>
          )}
          <td data-number="" data-label="Tokens, 30 days">
            {toCount(countTokens(key.usage))}
          </td>
          <td data-number="" data-label="Input cached">
            {formatCachedShare(key.usage) ?? '–'}
          </td>
          <td data-number="" data-label="Cost">
            {toDollars(key.usage.costUsd)}
          </td>
          <td data-label="Last used">
            {key.lastUsedAt === null ? 'Never' : <Day timeMs={key.lastUsedAt} />}
          </td>
          <td data-label="Created">
            <Day timeMs={key.createdAt} />
          </td>
          <td>
            {key.state === 'active' && key.owner !== null && (
              <RevokeForm formToken={formToken} ownerId={ownerId} {...key} />
            )}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function Owner({ owner }: Pick<KeySummary, 'owner'>) {
  if (owner === null) return <span className="quiet">Operator</span>;
  if (owner.name === null) return <span className="quiet">Deleted member</span>;
  return <a href={`/admin/members/${owner.id}`}>{owner.name}</a>;
}

type RevokeFormProps = Readonly<{
  id: string;
  name: string;
  formToken: string;
  ownerId: string | undefined;
}>;

function RevokeForm({ id, name, formToken, ownerId }: RevokeFormProps) {
  return (
    <form method="post" action={`/admin/keys/${id}/revoke`} className="revoke-form">
      <FormToken value={formToken} />
      {ownerId !== undefined && <input type="hidden" name="owner" value={ownerId} />}
      <ConfirmBox label="For good" />
      <button
        type="submit"
        className="button-quiet button-wrong button-small"
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </button>
    </form>
  );
}
