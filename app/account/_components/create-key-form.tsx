import { ChoiceField } from '../../_components/fields/choice-field.tsx';
import { FormToken } from './form-token.tsx';

type CreateKeyFormProps = Readonly<{
  formToken: string;
  suggestedName: string;
  models: readonly string[];
  isFirst: boolean;
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
  const { formToken, suggestedName, models, isFirst } = props;
  return (
    <form method="post" action="/account/keys" className="create-key">
      <FormToken value={formToken} />
      <h3>{isFirst ? 'Create your first key' : 'Create another key'}</h3>
      <div className="create-key-name">
        <p className="field">
          <label htmlFor="key-name">Name</label>
          <input
            id="key-name"
            name="name"
            required
            maxLength={100}
            defaultValue={suggestedName}
            autoComplete="off"
            aria-describedby="key-name-hint"
          />
          <span id="key-name-hint" className="field-hint">
            The program or machine that uses it.
          </span>
        </p>
        <button type="submit" className="button">
          Create key
        </button>
      </div>
      <details>
        <summary>Expiry, models and budget</summary>
        <div className="field-row">
          <ChoiceField id="key-expires" name="expires" label="Expires" options={expiries} />
          <p className="field">
            <label htmlFor="key-budget">Budget</label>
            <input
              id="key-budget"
              name="budget"
              maxLength={200}
              placeholder="1 USD/day, 50000 tokens/day"
              autoComplete="off"
            />
          </p>
        </div>
        {models.length > 0 && (
          <fieldset className="model-choice">
            <legend>Models</legend>
            <p className="field-hint">Choose none to allow all of them.</p>
            {models.map((id) => (
              <label key={id}>
                <input type="checkbox" name="models" value={id} /> <span>{id}</span>
              </label>
            ))}
          </fieldset>
        )}
      </details>
    </form>
  );
}
