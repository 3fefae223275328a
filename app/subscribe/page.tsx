import type { Metadata } from 'next';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery, type SearchParams } from '#lib/events/query/page-query.ts';
import { suggestNames } from '#lib/events/search/nearest-names.ts';
import { selectNext, selectSearchChips } from '#lib/events/view/select-views.ts';
import { toFeedLinks, toSubscription } from '#lib/events/view/subscription.ts';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { previewCount } from '#lib/representations/markdown/pages/subscribe.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { AgendaEvent } from '../_components/events/agenda-event.tsx';
import { NameNotice } from '../_components/notices.tsx';
import { PageFormats } from '../_components/page-formats.tsx';
import { ProblemNotice } from '../_components/problem-notice.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { EmbedSection } from './embed-section.tsx';
import { CalendarSection, FeedSection } from './link-sections.tsx';
import { MailSection } from './mail/_components/mail-form.tsx';
import { SubscriptionFilters } from './subscription-filters.tsx';
import '../_styles/fields.css';
import '../_styles/prose.css';
import './subscribe.css';

type SubscribePageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

const linked = getLinkedPage('/subscribe');

export async function generateMetadata({ searchParams }: SubscribePageProps): Promise<Metadata> {
  const { query: filters } = parsePageQuery('subscribe', await searchParams);
  const markdown = `/subscribe.md${formatQuery(filters)}`;
  return toPageMetadata({ ...linked, markdown, filters });
}

/** How to follow events: by calendar, by feed, or on a site of one’s own. */
export default async function SubscribePage({ searchParams }: SubscribePageProps) {
  const services = getServices();
  const { site } = services;
  const { query: filters, problems } = parsePageQuery('subscribe', await searchParams);
  const snapshot = await loadPageSnapshot(services);
  const subscription = toSubscription(filters, site);
  return (
    <div className="subscribe">
      <header className="page-header">
        <h1>{linked.title}</h1>
        <p className="lead">New events and new dates come to you. No account needed.</p>
        <ProblemNotice problems={problems} />
        <NameNotice
          suggestions={suggestNames(snapshot, filters)}
          toHref={(others) => `/subscribe${formatQuery(others)}`}
        />
      </header>
      <div className="subscribe-choice">
        <SubscriptionFilters filters={filters} searchChips={selectSearchChips(snapshot, filters)} />
        <Preview
          events={selectNext(snapshot, filters)}
          title={subscription.title}
          today={snapshot.day}
        />
      </div>
      <CalendarSection subscription={subscription} />
      {services.mail !== null && (
        <MailSection
          filters={filters}
          title={subscription.title}
          timeZone={services.config.events.timeZone}
        />
      )}
      <FeedSection feeds={toFeedLinks(filters, site)} changesRss={subscription.changesRss} />
      <EmbedSection filters={filters} site={site} title={subscription.title} />
      <PageFormats links={{ Markdown: `/subscribe.md${formatQuery(filters)}` }} />
    </div>
  );
}

type PreviewProps = Readonly<{
  /** Those that are on, and those coming up. */
  events: readonly MarqueeEvent[];
  /** The name of the subscription. */
  title: string;
  today: string;
}>;

/** The next events of a subscription. */
function Preview({ events, title, today }: PreviewProps) {
  const { length } = events;
  return (
    <section className="subscribe-preview" aria-labelledby="preview">
      <h2 id="preview">What you get</h2>
      <p className="quiet">
        “<bdi>{title}</bdi>”, with {formatCountOf(length, 'event')} on now or coming up.
      </p>
      {length === 0 ? (
        <p>Nothing yet. Subscribe, and the first event will find you.</p>
      ) : (
        <ul className="agenda-list">
          {events.slice(0, previewCount).map((event) => (
            <AgendaEvent key={event.id} event={event} today={today} />
          ))}
        </ul>
      )}
    </section>
  );
}
