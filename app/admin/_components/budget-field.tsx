import { InputField } from '../../_components/fields/form-fields.tsx';

/** The budget of a group. */
export function BudgetField({ value }: Readonly<{ value: string }>) {
  return (
    <InputField
      id="budget"
      name="budget"
      label="Budget"
      defaultValue={value}
      placeholder="50 USD/month"
      maxLength={200}
    />
  );
}
