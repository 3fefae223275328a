import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { parsePageQuery } from '#lib/events/query/page-query.ts';
import { getServices } from '#lib/services.ts';
import { toTimeInWords } from '#lib/site/notifications/mail/mail-texts.ts';
import { toPageMetadata } from '../../../../_metadata/page-metadata.ts';
import { FilterFields } from '../../../subscription-filters.tsx';
import { MailPage } from '../../_components/mail-page.tsx';
import { TimeFields } from '../../_components/time-fields.tsx';
import '../../../../_styles/fields.css';
import '../../../../_styles/prose.css';
import '../../../subscribe.css';

export const dynamic = 'force-dynamic';

type SettingsPageProps = Readonly<{
  params: Promise<Readonly<{ token: string }>>;
  searchParams: Promise<Readonly<{ done?: string | string[] }>>;
}>;

const title = 'Your mails';

const doneWords: Readonly<Record<string, string>> = {
  confirmed: 'Done: your address is confirmed.',
  changed: 'Done: your choices are saved.',
};

export function generateMetadata(): Metadata {
  const { site } = getServices();
  const path = '/subscribe/mail/settings';
  return toPageMetadata({ site, path, title, description: title, isIndexed: false });
}

/** Which mails somebody gets, and the button that stops them. */
export default async function SettingsPage({ params, searchParams }: SettingsPageProps) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  const subscription = await getServices().mail?.findSubscription(token);
  if (!subscription) notFound();
  const { query: filters } = parsePageQuery('subscribe', subscription.filters);
  const words = typeof done === 'string' && Object.hasOwn(doneWords, done) && doneWords[done];
  return (
    <MailPage
      title={title}
      lead={`One mail a week, ${toTimeInWords(subscription)}, if there is something new.`}
    >
      {words && (
        <p className="notice" role="status">
          {words}
        </p>
      )}
      <form className="mail-form" method="post" action="/subscribe/mail/settings">
        <input type="hidden" name="token" value={token} />
        <h2>Which events, and when?</h2>
        <FilterFields filters={filters} />
        <TimeFields {...subscription} />
        <p className="subscribe-submit">
          <button className="button" type="submit">
            Save
          </button>
        </p>
      </form>
      <section aria-labelledby="stop">
        <h2 id="stop">No more mails?</h2>
        <p>We delete everything we store about you at once.</p>
        <form method="post" action="/subscribe/mail/stop">
          <input type="hidden" name="token" value={token} />
          <button className="button-quiet" type="submit">
            Stop these mails
          </button>
        </form>
      </section>
    </MailPage>
  );
}
