import { type EventsQuery, filterNames, formatValue } from '#lib/events/query/events-query.ts';
import {
  FieldError,
  type FieldProblem,
  toErrorProps,
} from '../../../_components/fields/field-error.tsx';
import { BrowserTimeZone } from './browser-time-zone.tsx';
import { TimeFields } from './time-fields.tsx';

type MailFormProps = Readonly<{
  filters: EventsQuery;
  email?: string;
  time: Readonly<{ weekday: number; hour: number; timeZone: string }>;
  /** What was wrong when the form was sent. */
  refused?: FieldProblem | null;
}>;

/** Asks for a weekly mail; it needs no script. */
export function MailForm({ filters, email, time, refused = null }: MailFormProps) {
  return (
    <form className="mail-form" method="post" action="/subscribe/mail">
      <p className="field">
        <label htmlFor="email">Your e-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          placeholder="ada@mail.example"
          defaultValue={email}
          {...toErrorProps(refused, 'email', 'email')}
        />
        <FieldError refused={refused} field="email" id="email" />
      </p>
      <TimeFields {...time} refused={refused} />
      {email === undefined && <BrowserTimeZone />}
      {filterNames.map((name) => {
        const value = formatValue(filters[name]);
        return value === '' ? null : <input key={name} type="hidden" name={name} value={value} />;
      })}
      <p className="subscribe-submit">
        <button className="button" type="submit">
          Send me a mail to confirm
        </button>
      </p>
      <p className="field-hint">
        We store your address, these choices and which events we sent you, and delete it all when
        you stop. We don’t track whether you open a mail.
      </p>
    </form>
  );
}
