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
