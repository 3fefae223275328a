import { PostForm } from '../../_components/area/post-form.tsx';
import { ChoiceField, InputField } from '../../_components/fields/form-fields.tsx';

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
    <PostForm action="/account/keys" formToken={formToken} className="card create-key">
      <h3>{isFirst ? 'Create your first key' : 'Create another key'}</h3>
      <InputField
        id="key-name"
        name="name"
        label="Name"
        hint="The program or machine that uses it."
        required
        maxLength={100}
        defaultValue={refused?.name ?? suggestedName}
        refused={refused}
      />
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
          <InputField
            id="key-budget"
            name="budget"
            label="Budget"
            maxLength={200}
            placeholder="1 USD/day, 50,000 tokens/day"
            defaultValue={refused?.budget}
            refused={refused}
          />
        </div>
        {models.length > 0 && (
          <fieldset className="choices model-choice">
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
    </PostForm>
  );
}

function hasOptions(refused: RefusedForm | null): boolean {
  if (refused === null) return false;
  const { field, budget, expires, models } = refused;
  return field !== 'name' || budget !== '' || expires !== '' || models.length > 0;
}

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A form with a problem, and what was typed into it. */
export type RefusedForm = Readonly<{
  field: 'name' | 'budget';
  problem: string;
  /** The key to rename; null for the form that creates one. */
  keyId: string | null;
  name: string;
  budget: string;
  expires: string;
  models: readonly string[];
}>;

const fields: Readonly<Record<string, RefusedForm['field']>> = {
  'key-name': 'name',
  'key-taken': 'name',
  'key-budget': 'budget',
};

/** The form that a problem is about; null if it is about none of its fields. */
export function toRefused(
  code: string | undefined,
  problem: string | null,
  query: Query,
): RefusedForm | null {
  const field = fields[code ?? ''];
  if (field === undefined || problem === null) return null;
  const first = (name: string) => [query[name]].flat()[0] ?? '';
  return {
    field,
    problem,
    keyId: first('key') || null,
    name: first('name'),
    budget: first('budget'),
    expires: first('expires'),
    models: [query.models ?? []].flat(),
  };
}
