import { type EventsQuery, filterNames, formatValue } from '#lib/events/query/events-query.ts';
import { defaultTime } from '#lib/site/notifications/mail/subscribing/mail-settings.ts';
import { BrowserTimeZone } from './browser-time-zone.tsx';
import { TimeFields } from './time-fields.tsx';

type MailSectionProps = Readonly<{
  filters: EventsQuery;
  /** What the subscription contains. */
  title: string;
  /** Of the site; that of the browser takes its place. */
  timeZone: string;
}>;

/** New events by mail, once a week: a form that needs no script. */
export function MailSection({ filters, title, timeZone }: MailSectionProps) {
  return (
    <section aria-labelledby="mail">
      <h2 id="mail">By mail</h2>
      <p>
        One mail a week with what is new in “<bdi>{title}</bdi>”, and none if nothing is. If an
        event in it is cancelled or moved, you hear at once. Every mail has a link to stop it.
      </p>
      <form className="mail-form" method="post" action="/subscribe/mail">
        <div className="field">
          <label htmlFor="email">Your e-mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            placeholder="ada@mail.example"
          />
        </div>
        <TimeFields {...defaultTime} timeZone={timeZone} />
        <BrowserTimeZone />
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
          Stored are your address, these choices and what the mails contained: nothing else, and
          nothing at all once you stop. Nobody sees who has opened a mail.
        </p>
      </form>
    </section>
  );
}
