import type { ReactNode } from 'react';
import { type FieldProblem, InputField } from '../../../_components/fields/form-fields.tsx';
import './mail-form.css';

type AddressFormProps = Readonly<{
  email?: string | undefined;
  /** What was wrong when the form was sent. */
  refused: FieldProblem | null;
  /** What is stored. */
  hint: string;
  /** What the emails are about. */
  children: ReactNode;
}>;

/** Asks for an address to send emails to, once it is confirmed; it needs no script. */
export function AddressForm({ email, refused, hint, children }: AddressFormProps) {
  return (
    <form className="mail-form" method="post" action="/subscribe/mail">
      <InputField
        id="email"
        name="email"
        label="Your email address"
        type="email"
        required
        maxLength={254}
        autoComplete="email"
        placeholder="ada@mail.example"
        defaultValue={email}
        refused={refused}
      />
      {children}
      <p className="row">
        <button className="button" type="submit">
          Send me an email to confirm
        </button>
      </p>
      <p className="field-hint">{hint}</p>
    </form>
  );
}
