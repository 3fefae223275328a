import { countTokens, formatCachedShare } from '#lib/accounts/account/account-view.ts';
import type { KeySummary } from '#lib/accounts/admin/key-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { ConfirmBox, PostForm } from '../../_components/area/post-form.tsx';
import { Day, DollarCell, toCostText } from '../../_components/area/words.tsx';

type KeyTableProps = Readonly<{
  keys: readonly KeySummary[];
  formToken: string;
  /** The page that it is on, with its filters. */
  page: string;
  /** Whether they are of several members. */
  hasOwners?: boolean;
}>;

/** API keys, with what they have used, and a way to revoke them. */
export function KeyTable({ keys, formToken, page, hasOwners = false }: KeyTableProps) {
  return (
    <DataTable
      caption="API keys"
      rows={keys}
      toId={({ id }) => id}
      isOff={({ state }) => state !== 'active'}
      columns={[
        ['Key', KeyName],
        ...(hasOwners ? [['Owner', Owner] as const] : []),
        ['Tokens, 30 days', ({ usage }) => formatCount(countTokens(usage))],
        ['Input cached', ({ usage }) => formatCachedShare(usage) ?? '–'],
        ['Cost', ({ usage }) => <DollarCell text={toCostText(usage)} />],
        [
          'Last used',
          ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Day timeMs={lastUsedAt} />),
        ],
        ['Created', ({ createdAt }) => <Day timeMs={createdAt} />],
      ]}
      numbers={['Tokens, 30 days', 'Input cached', 'Cost']}
      action={{
        heading: 'Revoke',
        toButton: (key) =>
          key.state === 'active' &&
          key.owner !== null && <RevokeForm formToken={formToken} page={page} {...key} />,
      }}
      className="admin-table"
    />
  );
}

function KeyName({ id, name, hint, state }: KeySummary) {
  return (
    <>
      <a href={`/admin/requests?${new URLSearchParams({ key: id })}`}>{name}</a>
      {state !== 'active' && (
        <span className="badge badge-off">{state === 'revoked' ? 'Revoked' : 'Expired'}</span>
      )}
      <span className="quiet mono member-address">{hint || id}</span>
    </>
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
  owner: KeySummary['owner'];
  formToken: string;
  page: string;
}>;

function RevokeForm({ id, name, owner, formToken, page }: RevokeFormProps) {
  return (
    <PostForm
      action={`/admin/keys/${id}/revoke`}
      formToken={formToken}
      className="stack revoke-form"
    >
      <input type="hidden" name="back" value={page} />
      <ConfirmBox>
        Revoke <em>{name}</em> of {owner?.name ?? 'a deleted member'}? Programs that use it stop at
        once.
      </ConfirmBox>
      <button
        type="submit"
        className="button-quiet button-wrong button-small"
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </button>
    </PostForm>
  );
}
