import type { Metadata } from 'next';
import { formatQuery } from '#lib/events/query/events-query.ts';
import { parsePageQuery, type SearchParams } from '#lib/events/query/page-query.ts';
import { suggestNames } from '#lib/events/search/nearest-names.ts';
import { selectSearchNotes } from '#lib/events/view/search-notes.ts';
import { selectDirectoryView, selectLowPrice } from '#lib/events/view/select-views.ts';
import { toItemListJsonLd } from '#lib/representations/seo/json-ld.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { NameNotice } from '../_components/notices.tsx';
import { ProblemNotice } from '../_components/problem-notice.tsx';
import { JsonLd } from '../_metadata/json-ld.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { Directory } from './directory.tsx';

export async function generateMetadata({ searchParams }: DirectoryPageProps): Promise<Metadata> {
  const { site } = getServices();
  const { query } = parsePageQuery('directory', await searchParams);
  const { view: _, page: __, ...filters } = query;
  return toPageMetadata({
    ...getLinkedPage('/'),
    markdown: `/index.md${formatQuery({ ...filters, page: query.page ?? 1 })}`,
    filters,
    embeds: `/${formatQuery(filters)}`,
    title: `${site.name}: events`,
  });
}

/** Longer lists are not reloaded by every open tab every minute: there the filters are a plain form. */
const liveMax = 1_500;

type DirectoryPageProps = Readonly<{ searchParams: Promise<SearchParams> }>;

/** The directory: all events that are on, coming up, open-ended and past. */
export default async function DirectoryPage({ searchParams }: DirectoryPageProps) {
  const services = getServices();
  const { config, site } = services;
  const { query, problems } = parsePageQuery('directory', await searchParams);
  const { page = 1, view: layout = 'posters', ...filters } = query;
  const snapshot = await loadPageSnapshot(services);
  const search = formatQuery(filters);
  const view = selectDirectoryView(snapshot, { filters, page });
  const notes = selectSearchNotes(snapshot, filters, view.total === 0);
  const isLive = snapshot.events.length <= liveMax && page === 1;
  const shown = view.sections.flatMap((section) => section.events);
  const ahead = shown.filter(({ status }) => status !== 'ended');
  return (
    <>
      <JsonLd data={toItemListJsonLd(ahead.length > 0 ? ahead : shown, { site })} />
      <header className="page-header directory-header">
        <h1>Hackathons, jams and build nights for people who make things.</h1>
        <ProblemNotice problems={problems.filter(({ range }) => range === undefined)} />
        <NameNotice
          suggestions={suggestNames(snapshot, filters)}
          toHref={(others) => `/${formatQuery({ ...others, view: layout })}`}
        />
      </header>
      <Directory
        view={view}
        notes={isLive ? notes : { ...notes, seen: {}, scores: {} }}
        search={search}
        reversed={problems.find(({ range }) => range)?.range}
        layout={layout}
        today={snapshot.day}
        timeZone={config.events.timeZone}
        hasTimes={shown.some(({ startsAt }) => startsAt !== null)}
        lowPrice={selectLowPrice(snapshot)}
        isLive={isLive}
      />
    </>
  );
}
