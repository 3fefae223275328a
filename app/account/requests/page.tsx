import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { toPlaygroundKeyId } from '#lib/accounts/account/playground-key.ts';
import { loadRequestList, type RequestList } from '#lib/accounts/account/request-list.ts';
import {
  allRequests,
  readRequestPlace,
  readRequestQuery,
  toRequestSearch,
} from '#lib/accounts/account/request-query.ts';
import { toKeyName, toKeyNames, toKeyTitles } from '#lib/accounts/account/usage-files.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { RequestTable } from '../../_components/area/request-table.tsx';
import { Moment } from '../../_components/area/words.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { AreaHeader } from '../_components/account-nav.tsx';
import { loadVisit } from '../_components/member-page.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestLinks } from './request-links.tsx';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../_components/area/area.css';

export function generateMetadata(): Metadata {
  return toPageMetadata({
    path: '/account/requests',
    title: 'Requests',
    description: 'Each of your requests, with what it used.',
    isIndexed: false,
  });
}

const path = '/account/requests';

/** A member’s own requests. */
export default async function RequestsPage({ searchParams }: QueryPageProps) {
  const { after, ...filters } = await readQuery(searchParams);
  const now = Date.now();
  const query = readRequestQuery(filters, now);
  const { signedIn, panel } = await loadVisit(path + toRequestSearch(query));
  if (signedIn === null) return panel;
  const services = getServices();
  const place = readRequestPlace(after);
  const { member } = signedIn;
  const options = { query, after: place, now };
  const list = await loadRequestList(services.database, member.id, options);
  if (query.request !== '' && place === null && list.requests.length === 0) notFound();
  const names = toKeyNames(list);
  const keys = [
    ...[...toKeyTitles(list.keys)].map(([id, name]) => ({ id, name })),
    { id: toPlaygroundKeyId(member.id), name: 'Playground' },
  ];
  const isFiltered = Object.values(query).some((value) => value !== '');
  const isCounted = query.model + query.session + query.request + query.sort === '';
  const rejections = isCounted && place === null ? list.rejections : [];
  return (
    <div className="account">
      <AreaHeader path={path} title="Requests">
        Your requests of the last {formatCount(services.config.storage.usageDays)} days, with up to
        ten rejected ones a minute of each key. Times and days are in UTC. We store these numbers
        and nothing else: no prompts, no replies.
      </AreaHeader>
      <RequestFilters path={path} query={query} keys={keys} models={list.models} />
      {list.requests.length === 0 ? (
        <p className="notice">
          {toEmptyText({ isFiltered, isFirst: place === null, next: list.next, rejections })}
        </p>
      ) : (
        <RequestTable
          requests={list.requests}
          sort={query.sort}
          toKeyName={(id) => toKeyName(names, id)}
          toSessionHref={(session) => path + toRequestSearch({ ...allRequests, session })}
        />
      )}
      <RequestLinks path={path} query={query} place={place} next={list.next} />
      <Rejections rejections={rejections} names={names} />
    </div>
  );
}

type Emptiness = Pick<RequestList, 'next' | 'rejections'> &
  Readonly<{ isFiltered: boolean; isFirst: boolean }>;

function toEmptyText({ next, rejections, isFiltered, isFirst }: Emptiness): string {
  if (next !== null) return 'None of the newest requests match. There may be older ones that do.';
  if (rejections.length > 0) {
    return 'Only the first ten rejected requests a minute of each key are listed. Below, all are counted.';
  }
  if (isFiltered) return isFirst ? 'No requests match.' : 'No older requests match.';
  return isFirst
    ? 'Nothing yet. Your first request shows up here a second after its end.'
    : 'There are no older requests.';
}

type RejectionsProps = Pick<RequestList, 'rejections'> &
  Readonly<{ names: ReadonlyMap<string, string> }>;

/** All requests that were not sent on, also those that the list is without. */
function Rejections({ rejections, names }: RejectionsProps) {
  if (rejections.length === 0) return null;
  return (
    <section className="section" aria-labelledby="rejections">
      <h2 id="rejections">Rejected, by minute</h2>
      <p className="quiet">All of them are counted here. They cost nothing.</p>
      <DataTable
        caption="Rejected requests, the newest first"
        rows={rejections}
        toId={({ keyId, at, status, code }) => `${keyId} ${at} ${status} ${code}`}
        columns={[
          ['Minute', ({ at }) => <Moment timeMs={at} />],
          ['Key', ({ keyId }) => toKeyName(names, keyId)],
          ['Status', ({ status }) => status],
          ['Code', ({ code }) => <code>{code}</code>],
          ['Requests', ({ count }) => formatCount(count)],
        ]}
        numbers={['Requests']}
      />
    </section>
  );
}
