import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { getServices } from '#lib/services.ts';
import { toTimeInWords } from '#lib/site/notifications/mail/mail-texts.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { MailPage, toMailMetadata } from '../../_components/mail-page.tsx';
import { ReminderEvents } from '../../_components/reminder-events.tsx';
import { reminderWords } from '../../_components/reminder-form.tsx';

type ConfirmPageProps = Readonly<{ params: Promise<Readonly<{ token: string }>> }>;

const title = 'Confirm your address';

export function generateMetadata(): Metadata {
  return toMailMetadata('confirm', title);
}

/** What the link of a confirmation leads to: one button. Opening it changes nothing, as many programs do. */
export default async function ConfirmPage({ params }: ConfirmPageProps) {
  const { token } = await params;
  const services = getServices();
  const { mail, site } = services;
  const confirmation = await mail?.findConfirmation(token);
  if (!confirmation) notFound();
  const { address, settings } = confirmation;
  if ('eventIds' in settings) {
    const snapshot = await loadPageSnapshot(services);
    return (
      <MailPage
        title={title}
        lead={`Reminders to ${address}. ${reminderWords} Also when one is cancelled or moved.`}
      >
        <ReminderEvents snapshot={snapshot} eventIds={settings.eventIds} />
        <ConfirmForm token={token} />
      </MailPage>
    );
  }
  const { query: filters } = parsePageQuery('subscribe', settings.filters);
  return (
    <MailPage
      title={title}
      lead={`One email a week to ${address}, ${toTimeInWords(settings)}, if there is something new.`}
    >
      <p>
        Events: “<bdi>{toSubscription(filters, site).title}</bdi>”.
      </p>
      <ConfirmForm token={token} />
    </MailPage>
  );
}

function ConfirmForm({ token }: Readonly<{ token: string }>) {
  return (
    <form method="post" action="/subscribe/mail/confirm">
      <input type="hidden" name="token" value={token} />
      <button className="button" type="submit">
        Yes, send me these emails
      </button>
    </form>
  );
}
