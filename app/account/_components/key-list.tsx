import type { LostKey } from '#lib/accounts/account/account.ts';
import type { KeyView } from '#lib/accounts/account/account-view.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { ActionButton, ConfirmBox, PostForm } from '../../_components/area/post-form.tsx';
import { Moment } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { InputField } from '../../_components/fields/form-fields.tsx';
import type { RefusedForm } from './create-key-form.tsx';

type KeyListProps = Readonly<{
  keys: readonly KeyView[];
  /** How many days after the last sign-in keys stop. */
  keyDays: number;
  formToken: string;
  refused: RefusedForm | null;
}>;

export function KeyList({ keys, keyDays, formToken, refused }: KeyListProps) {
  if (keys.length === 0) return <p className="lead">You have no keys yet.</p>;
  return (
    <>
      <p className="quiet">Keys work for {keyDays} days after your last sign-in.</p>
      <ul className="key-list">
        {keys.map((key) => (
          <li key={key.id} className="card">
            <KeyFacts {...key} />
            <details open={refused?.keyId === key.id}>
              <summary>
                Change<span className="visually-hidden"> {key.name}</span>
              </summary>
              <KeyActions
                id={key.id}
                name={key.name}
                formToken={formToken}
                refused={refused?.keyId === key.id ? refused : null}
              />
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function KeyFacts(key: KeyView) {
  const { name, hint, models, isExpired, expiresAt, lastUsedAt, usedFrom } = key;
  return (
    <div className="key-facts">
      <h3>{name}</h3>
      <p className="quiet mono">{hint}</p>
      <dl>
        <Fact term="Today">{formatCount(key.tokensToday)} tokens</Fact>
        <Fact term="30 days">{formatCount(key.tokensInDays)} tokens</Fact>
        <Fact term="Last used">
          {lastUsedAt === null ? 'Never' : <Moment timeMs={lastUsedAt} />}
          {lastUsedAt !== null && usedFrom !== null && `, from ${usedFrom}`}
        </Fact>
        {key.budget !== null && <Fact term="Budget">{key.budget}</Fact>}
        {expiresAt !== null && (
          <Fact term={isExpired ? 'Expired' : 'Expires'}>
            <Moment timeMs={expiresAt} />
          </Fact>
        )}
        {models !== null && <Fact term="Models">{models.join(', ')}</Fact>}
      </dl>
    </div>
  );
}

type KeyActionsProps = Readonly<{
  id: string;
  name: string;
  formToken: string;
  refused: RefusedForm | null;
}>;

function KeyActions({ id, name, formToken, refused }: KeyActionsProps) {
  const form = { action: `/account/keys/${id}`, formToken };
  return (
    <div className="key-actions">
      <PostForm {...form}>
        <InputField
          id={`${id}-name`}
          name="name"
          label="Name"
          required
          maxLength={100}
          defaultValue={refused?.name ?? name}
          refused={refused}
        />
        <ActionButton value="rename">Rename</ActionButton>
      </PostForm>
      <PostForm {...form}>
        <p>Gives this key a new secret.</p>
        <ConfirmBox>
          Replace the secret of <em>{name}</em>? Programs with the old one stop within 5 seconds.
        </ConfirmBox>
        <ActionButton value="rotate">Rotate</ActionButton>
      </PostForm>
      <PostForm {...form}>
        <ConfirmBox>
          Revoke <em>{name}</em> for good? Programs that use it stop within 5 seconds.
        </ConfirmBox>
        <ActionButton value="revoke" isWrong>
          Revoke
        </ActionButton>
      </PostForm>
    </div>
  );
}

const reasons: Readonly<Record<LostKey['how'], string>> = {
  'key.leaked': 'GitHub found it in a public place, and it was revoked',
  'key.given-up': 'somebody who has the key revoked it',
};

/** Keys that were revoked because others know them. */
export function LostKeys({ keys }: Readonly<{ keys: readonly LostKey[] }>) {
  return keys.map(({ id, name, at, how }) => (
    <p key={id} className="notice notice-wrong">
      Your key “{name}” no longer works: {reasons[how]}, <Moment timeMs={at} />. Remove it wherever
      you use it, check your usage below, and create another one.
    </p>
  ));
}
