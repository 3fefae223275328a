import { type EventsQuery, filterNames, formatValue } from '#lib/events/query/events-query.ts';
import { defaultTime, weekdays } from '#lib/site/notifications/mail/subscribing/mail-settings.ts';
import { ChoiceField, type FieldProblem } from '../../../_components/fields/form-fields.tsx';
import { AddressForm } from './address-form.tsx';
import { BrowserTimeZone } from './browser-time-zone.tsx';

type MailFormProps = Readonly<{
  filters: EventsQuery;
  email?: string;
  time: Readonly<{ weekday: number; hour: number; timeZone: string }>;
  /** What was wrong when the form was sent. */
  refused?: FieldProblem | null;
}>;

/** Asks for a weekly email. */
export function MailForm({ filters, email, time, refused = null }: MailFormProps) {
  return (
    <AddressForm
      email={email}
      refused={refused}
      hint="We store your address, these choices and which events we sent you, and delete it all when you stop. We don’t track whether you open an email."
    >
      <TimeFields {...time} refused={refused} />
      {email === undefined && <BrowserTimeZone />}
      {filterNames.map((name) => {
        const value = formatValue(filters[name]);
        return value === '' ? null : <input key={name} type="hidden" name={name} value={value} />;
      })}
    </AddressForm>
  );
}

const timeZoneId = 'timeZone';

type TimeFieldsProps = Readonly<{
  weekday: number;
  hour: number;
  timeZone: string;
  refused?: FieldProblem | null;
}>;

/** When a digest comes. */
export function TimeFields({ weekday, hour, timeZone, refused = null }: TimeFieldsProps) {
  return (
    <div className="field-row">
      <ChoiceField
        id="weekday"
        name="weekday"
        label="Day"
        options={mondayFirst.map((day) => [day, `${day.charAt(0).toUpperCase()}${day.slice(1)}`])}
        chosen={weekdays[weekday] ?? ''}
        refused={refused}
      />
      <ChoiceField
        id="hour"
        name="hour"
        label="Time"
        options={hours.map((hour) => [String(hour), `${hour}:00`])}
        chosen={String(hour)}
        refused={refused}
      />
      <ChoiceField
        id={timeZoneId}
        name="timeZone"
        label="Time zone"
        options={listZones(timeZone).map((zone) => [zone, zone.replaceAll('_', ' ')])}
        chosen={timeZone}
        refused={refused}
      />
    </div>
  );
}

const mondayFirst = [...weekdays.slice(1), ...weekdays.slice(0, 1)];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

function listZones(chosen: string): string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])];
}

type MailSectionProps = Readonly<{
  filters: EventsQuery;
  /** What the subscription contains. */
  title: string;
  /** Of the site; that of the browser takes its place. */
  timeZone: string;
}>;

/** New events by email, once a week. */
export function MailSection({ filters, title, timeZone }: MailSectionProps) {
  return (
    <section aria-labelledby="mail">
      <h2 id="mail">By email</h2>
      <p>
        One email a week with new events in “<bdi>{title}</bdi>”, and none if there are none. If an
        event from an email is cancelled or moved, we tell you at once. Every email has a link to
        stop.
      </p>
      <MailForm filters={filters} time={{ ...defaultTime, timeZone }} />
    </section>
  );
}
