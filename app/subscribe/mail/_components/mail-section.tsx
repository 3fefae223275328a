import type { EventsQuery } from '#lib/events/query/events-query.ts';
import { defaultTime } from '#lib/site/notifications/mail/subscribing/mail-settings.ts';
import { MailForm } from './mail-form.tsx';

type MailSectionProps = Readonly<{
  filters: EventsQuery;
  /** What the subscription contains. */
  title: string;
  /** Of the site; that of the browser takes its place. */
  timeZone: string;
}>;

/** New events by mail, once a week. */
export function MailSection({ filters, title, timeZone }: MailSectionProps) {
  return (
    <section aria-labelledby="mail">
      <h2 id="mail">By mail</h2>
      <p>
        One mail a week with new events in “<bdi>{title}</bdi>”, and none if there are none. If an
        event from a mail is cancelled or moved, we tell you at once. Every mail has a link to stop.
      </p>
      <MailForm filters={filters} time={{ ...defaultTime, timeZone }} />
    </section>
  );
}
