import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { getServices } from '#lib/services.ts';
import { Outcome } from '../../../_components/notices.tsx';
import { MailForm } from '../_components/mail-form.tsx';
import { MailPage, toMailMetadata } from '../_components/mail-page.tsx';
import { ReminderForm, reminderWords } from '../_components/reminder-form.tsx';

const title = 'By email';

export function generateMetadata(): Metadata {
  return toMailMetadata('again', title);
}

/** The form once more, with what was typed and what is wrong with it. */
export default async function MailAgainPage() {
  const { mail, site } = getServices();
  if (mail === null) notFound();
  const cookie = (await headers()).get('cookie');
  const { email, settings, eventIds, problem } = mail.forms.readRefused(cookie);
  if (eventIds.length > 0) {
    return (
      <MailPage title="Reminders by email" lead={reminderWords}>
        <ReminderForm eventIds={eventIds} email={email} refused={problem} />
      </MailPage>
    );
  }
  const { query: filters } = parsePageQuery('subscribe', settings.filters);
  return (
    <MailPage
      title={title}
      lead={`One email a week with new events in “${toSubscription(filters, site).title}”.`}
    >
      <Outcome problem={problem?.field === 'filters' ? problem.problem : null} done={null} />
      <MailForm filters={filters} email={email} time={settings} refused={problem} />
    </MailPage>
  );
}
