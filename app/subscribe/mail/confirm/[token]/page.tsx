import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { getServices } from '#lib/services.ts';
import { toTimeInWords } from '#lib/site/notifications/mail/mail-texts.ts';
import { MailPage, toMailMetadata } from '../../_components/mail-page.tsx';

type ConfirmPageProps = Readonly<{ params: Promise<Readonly<{ token: string }>> }>;

const title = 'Confirm your address';

export function generateMetadata(): Metadata {
  return toMailMetadata('confirm', title);
}

/** What the link of a confirmation leads to: one button. Opening it changes nothing, as many programs do. */
export default async function ConfirmPage({ params }: ConfirmPageProps) {
  const { token } = await params;
  const { mail, site } = getServices();
  const confirmation = await mail?.findConfirmation(token);
  if (!confirmation) notFound();
  const { address, settings } = confirmation;
  const { query: filters } = parsePageQuery('subscribe', settings.filters);
  return (
    <MailPage
      title={title}
      lead={`One email a week to ${address}, ${toTimeInWords(settings)}, if there is something new.`}
    >
      <p>
        Events: “<bdi>{toSubscription(filters, site).title}</bdi>”.
      </p>
      <form method="post" action="/subscribe/mail/confirm">
        <input type="hidden" name="token" value={token} />
        <button className="button" type="submit">
          Yes, send me these emails
        </button>
      </form>
    </MailPage>
  );
}
