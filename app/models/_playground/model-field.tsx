import type { ListedModel } from '#lib/representations/models/listed-models.ts';
import { TextField } from '../../_components/fields/text-field.tsx';

type ModelFieldProps = Readonly<{
  models: readonly ListedModel[];
  value: string;
  onChange: (id: string) => void;
}>;

/** The model id, with suggestions. */
export function ModelField({ models, ...props }: ModelFieldProps) {
  const options = models.map(({ id, name }): [string, string] => [id, name ?? id]);
  return <TextField {...props} label="Model" required placeholder="Model id" options={options} />;
}
