import type { FieldProblem } from '../../../_components/fields/form-fields.tsx';
import '../../../_styles/fields.css';
import { AddressForm } from './address-form.tsx';

/** When reminders come. */
export const reminderWords =
  'A day and an hour before each event, or just the day before if it has no time.';

type ReminderFormProps = Readonly<{
  eventIds: readonly string[];
  email?: string;
  /** What was wrong when the form was sent. */
  refused?: FieldProblem | null;
}>;

/** Asks for reminders by email. */
export function ReminderForm({ eventIds, email, refused = null }: ReminderFormProps) {
  return (
    <AddressForm
      email={email}
      refused={refused}
      hint="We also tell you at once if one is cancelled or moved. We store your address and the ids of these events, and delete both once the last one is over, or when you stop."
    >
      <input type="hidden" name="id" value={eventIds.join(',')} />
    </AddressForm>
  );
}
