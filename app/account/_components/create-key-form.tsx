import { ChoiceField } from '../../_components/fields/choice-field.tsx';
import { FieldError, toErrorProps } from '../../_components/fields/field-error.tsx';
import { FormToken } from './form-token.tsx';
import type { RefusedForm } from './refused-form.ts';

type CreateKeyFormProps = Readonly<{
  formToken: string;
  suggestedName: string;
  models: readonly string[];
  isFirst: boolean;
  /** After a problem: what was typed. */
  refused: RefusedForm | null;
}>;

const expiries = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/** A name is enough; everything else has a default. */
export function CreateKeyForm(props: CreateKeyFormProps) {
  const { formToken, suggestedName, models, isFirst, refused } = props;
  return (
    <form method="post" action="/account/keys" className="create-key">
      <FormToken value={formToken} />
      <h3>{isFirst ? 'Create your first key' : 'Create another key'}</h3>
      <p className="field">
        <label htmlFor="key-name">Name</label>
        <input
          id="key-name"
          name="name"
          required
          maxLength={100}
          defaultValue={refused?.name ?? suggestedName}
          autoComplete="off"
          aria-describedby="key-name-hint"
          {...toErrorProps(refused, 'name', 'key-name')}
        />
        <span id="key-name-hint" className="field-hint">
          The program or machine that uses it.
        </span>
        <FieldError refused={refused} field="name" id="key-name" />
      </p>
      <details open={hasOptions(refused)}>
        <summary>Expiry, models and budget</summary>
        <div className="field-row">
          <ChoiceField
            id="key-expires"
            name="expires"
            label="Expires"
            options={expiries}
            chosen={refused?.expires ?? ''}
          />
          <p className="field">
            <label htmlFor="key-budget">Budget</label>
            <input
              id="key-budget"
              name="budget"
              maxLength={200}
              placeholder="1 USD/day, 50,000 tokens/day"
              defaultValue={refused?.budget}
              autoComplete="off"
              {...toErrorProps(refused, 'budget', 'key-budget')}
            />
            <FieldError refused={refused} field="budget" id="key-budget" />
          </p>
        </div>
        {models.length > 0 && (
          <fieldset className="model-choice">
            <legend>Models</legend>
            <p className="field-hint">Choose none to allow all of them.</p>
            {models.map((id) => (
              <label key={id}>
                <input
                  type="checkbox"
                  name="models"
                  value={id}
                  defaultChecked={refused?.models.includes(id)}
                />{' '}
                <span>{id}</span>
              </label>
            ))}
          </fieldset>
        )}
      </details>
      <p>
        <button type="submit" className="button">
          Create key
        </button>
      </p>
    </form>
  );
}

function hasOptions(refused: RefusedForm | null): boolean {
  if (refused === null) return false;
  const { field, budget, expires, models } = refused;
  return field !== 'name' || budget !== '' || expires !== '' || models.length > 0;
}
