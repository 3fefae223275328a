import type { KeySummary } from '#lib/admin/key-list.ts';
import { ScrolledTable } from '../../_components/scrolled.tsx';
import { FormToken } from '../../account/_components/form-token.tsx';
import { Day, toCount, toDollars } from '../../account/_components/words.tsx';

type KeyTableProps = Readonly<{
  keys: readonly KeySummary[];
  formToken: string;
  /** On the page of this member; by default the owners are shown. */
  ownerId?: string;
}>;

/** API keys, with what they have used, and a way to revoke them. */
export function KeyTable({ keys, formToken, ownerId }: KeyTableProps) {
  return (
    <ScrolledTable className="data-table admin-table">
      <caption className="visually-hidden">API keys</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          {ownerId === undefined && <th scope="col">Owner</th>}
          <th scope="col">Tokens, 30 days</th>
          <th scope="col">Cost</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">
            <span className="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} className={key.state === 'working' ? undefined : 'is-off'}>
            <th scope="row">
              {key.name}
              {key.state !== 'working' && (
                <span className="badge badge-off">
                  {key.state === 'revoked' ? 'Revoked' : 'Expired'}
                </span>
              )}
              <span className="quiet mono member-address">{key.hint || key.id}</span>
            </th>
            {ownerId === undefined && (
              <td className="names">
                <Owner owner={key.owner} />
              </td>
            )}
            <td>{toCount(key.usage.tokensIn + key.usage.tokensOut)}</td>
            <td>{toDollars(key.usage.costUsd)}</td>
            <td>{key.lastUsedAt === null ? 'Never' : <Day timeMs={key.lastUsedAt} />}</td>
            <td>
              <Day timeMs={key.createdAt} />
            </td>
            <td>
              {key.state === 'working' && <RevokeForm {...{ formToken, ownerId }} {...key} />}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
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
    <form method="post" action={`/admin/keys/${id}/revoke`}>
      <FormToken value={formToken} />
      {ownerId !== undefined && <input type="hidden" name="owner" value={ownerId} />}
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
