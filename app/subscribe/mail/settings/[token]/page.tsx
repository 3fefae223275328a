import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findProblem } from '#lib/accounts/routes/problems.ts';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { getServices } from '#lib/services.ts';
import { toTimeInWords } from '#lib/site/notifications/mail/mail-texts.ts';
import { hasDigest } from '#lib/site/notifications/mail/subscribing/subscription-store.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { Outcome } from '../../../../_components/notices.tsx';
import { FilterFields } from '../../../subscription-filters.tsx';
import { TimeFields } from '../../_components/mail-form.tsx';
import { MailPage, toMailMetadata } from '../../_components/mail-page.tsx';
import { ReminderEvents } from '../../_components/reminder-events.tsx';
import { reminderWords } from '../../_components/reminder-form.tsx';
import { SavedIds } from '../../_components/saved-ids.tsx';

type SettingsPageProps = Readonly<{
  params: Promise<Readonly<{ token: string }>>;
  searchParams: Promise<Readonly<{ done?: string | string[] }>>;
}>;

const title = 'Your emails';

const doneWords: Readonly<Record<string, string>> = {
  confirmed: 'Done: your address is confirmed.',
  changed: 'Done: your choices are saved.',
};

export function generateMetadata(): Metadata {
  return toMailMetadata('settings', title);
}

/** Which emails somebody gets, and the button that stops them. */
export default async function SettingsPage({ params, searchParams }: SettingsPageProps) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  const services = getServices();
  const { mail } = services;
  const subscription = await mail?.findSubscription(token);
  if (!mail || !subscription) notFound();
  const [eventIds, snapshot] = await Promise.all([
    mail.findReminderList(subscription.id),
    loadPageSnapshot(services),
  ]);
  const isWeekly = hasDigest(subscription);
  const { query: filters } = parsePageQuery('subscribe', subscription.filters);
  const words = findProblem([done].flat()[0], doneWords);
  return (
    <MailPage
      title={title}
      lead={
        isWeekly
          ? `One email a week, ${toTimeInWords(subscription)}, if there is something new.`
          : 'Reminders of the events that you saved.'
      }
    >
      <Outcome problem={null} done={words} />
      {isWeekly && (
        <form className="mail-form" method="post" action="/subscribe/mail/settings">
          <input type="hidden" name="token" value={token} />
          <h2>Which events, and when?</h2>
          <FilterFields filters={filters} />
          <TimeFields {...subscription} />
          <p className="row">
            <button className="button" type="submit">
              Save
            </button>
          </p>
        </form>
      )}
      <section aria-labelledby="reminders">
        <h2 id="reminders">Reminders</h2>
        <p>{reminderWords}</p>
        <ReminderEvents snapshot={snapshot} eventIds={eventIds} />
        <form method="post" action="/subscribe/mail/settings">
          <input type="hidden" name="token" value={token} />
          <SavedIds />
        </form>
      </section>
      <section aria-labelledby="stop">
        <h2 id="stop">No more emails?</h2>
        <p>We delete everything we store about you at once.</p>
        <form method="post" action="/subscribe/mail/stop">
          <input type="hidden" name="token" value={token} />
          <button className="button-quiet" type="submit">
            Stop these emails
          </button>
        </form>
      </section>
    </MailPage>
  );
}
