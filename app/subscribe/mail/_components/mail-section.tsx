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
        One mail a week with what is new in “<bdi>{title}</bdi>”, and none if nothing is. If an
        event in it is cancelled or moved, you hear at once. Every mail has a link to stop it.
      </p>
      <MailForm filters={filters} time={{ ...defaultTime, timeZone }} />
    </section>
  );
}
