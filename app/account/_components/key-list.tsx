import type { KeyView } from '#lib/accounts/account/account-view.ts';
import { Fact } from '../../_components/fact.tsx';
import { FieldError, toErrorProps } from '../../_components/fields/field-error.tsx';
import { ConfirmBox } from './confirm-box.tsx';
import { FormToken } from './form-token.tsx';
import type { RefusedForm } from './refused-form.ts';
import { Moment, toCount } from './words.tsx';

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
          <li key={key.id}>
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
        <Fact term="Today">{toCount(key.tokensToday)} tokens</Fact>
        <Fact term="30 days">{toCount(key.tokensInDays)} tokens</Fact>
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
  const action = `/account/keys/${id}`;
  return (
    <div className="key-actions">
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <p className="field">
          <label htmlFor={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            name="name"
            required
            maxLength={100}
            defaultValue={refused?.name ?? name}
            autoComplete="off"
            {...toErrorProps(refused, 'name', `${id}-name`)}
          />
          <FieldError refused={refused} field="name" id={`${id}-name`} />
        </p>
        <button type="submit" name="action" value="rename" className="button-quiet">
          Rename
        </button>
      </form>
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <p>Gives this key a new secret. The old one stops working within 5 seconds.</p>
        <ConfirmBox label="Replace the old secret" />
        <button type="submit" name="action" value="rotate" className="button-quiet">
          Rotate
        </button>
      </form>
      <form method="post" action={action}>
        <FormToken value={formToken} />
        <p>Programs with this key stop working within 5 seconds, for good.</p>
        <ConfirmBox label={`Revoke ${name} for good`} />
        <button type="submit" name="action" value="revoke" className="button-quiet button-wrong">
          Revoke
        </button>
      </form>
    </div>
  );
}
