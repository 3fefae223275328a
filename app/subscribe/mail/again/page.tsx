import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { toSubscription } from '#lib/events/view/subscription.ts';
import { getServices } from '#lib/services.ts';
import { toPageMetadata } from '../../../_metadata/page-metadata.ts';
import { MailForm } from '../_components/mail-form.tsx';
import { MailPage } from '../_components/mail-page.tsx';
import '../../../_styles/fields.css';
import '../../../_styles/prose.css';
import '../../subscribe.css';

export const dynamic = 'force-dynamic';

const title = 'By mail';

export function generateMetadata(): Metadata {
  const { site } = getServices();
  const path = '/subscribe/mail/again';
  return toPageMetadata({ site, path, title, description: title, isIndexed: false });
}

/** The form once more, with what was typed and what is wrong with it. */
export default async function MailAgainPage() {
  const { mail, site } = getServices();
  if (mail === null) notFound();
  const cookie = (await headers()).get('cookie');
  const { email, settings, problem } = mail.forms.readRefused(cookie);
  const { query: filters } = parsePageQuery('subscribe', settings.filters);
  return (
    <MailPage
      title={title}
      lead={`One mail a week with new events in “${toSubscription(filters, site).title}”.`}
    >
      {problem?.field === 'filters' && (
        <p className="notice notice-wrong" role="alert">
          {problem.problem}
        </p>
      )}
      <MailForm filters={filters} email={email} time={settings} refused={problem} />
    </MailPage>
  );
}
