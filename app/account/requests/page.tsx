import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { toPlaygroundKeyId } from '#lib/accounts/account/playground-key.ts';
import { toKeyName, toKeyNames, toKeyTitles } from '#lib/accounts/account/usage-files.ts';
import { readListQuery, toListSearch } from '#lib/accounts/lists/list-query.ts';
import { type ListPlace, toListSource } from '#lib/accounts/lists/list-view.ts';
import {
  loadChoices,
  type RequestChoices,
  requestsOfMember,
} from '#lib/accounts/lists/request-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { ListFrame } from '../../_components/area/list-frame.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { RequestTable } from '../../_components/area/request-table.tsx';
import { Moment } from '../../_components/area/words.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { AreaHeader } from '../_components/account-nav.tsx';
import { loadVisit } from '../_components/member-page.tsx';
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

/** A member’s own requests. */
export default async function RequestsPage({ searchParams }: QueryPageProps) {
  const { path } = requestsOfMember;
  const query = readListQuery(requestsOfMember, await readQuery(searchParams));
  const search = toListSearch(requestsOfMember, query);
  const { signedIn, panel } = await loadVisit(path + search);
  if (signedIn === null) return panel;
  const services = getServices();
  const { id: memberId } = signedIn.member;
  const source = { ...toListSource(services), memberId };
  const [{ rows, ...place }, choices] = await Promise.all([
    requestsOfMember.load(source, query),
    loadChoices(source, query),
  ]);
  const isFirst = place.before === null;
  const { model, session, request } = query.filters;
  if (request !== undefined && isFirst && rows.length === 0) notFound();
  const isCounted = (model ?? session ?? request) === undefined && query.sort === 'newest';
  const rejections = isCounted && isFirst ? choices.rejections : [];
  return (
    <div className="account">
      <AreaHeader path={path} title="Requests">
        Your requests of the last {formatCount(services.config.storage.usageDays)} days, with up to
        ten rejected ones a minute of each key. Times and days are in UTC. We store these numbers
        and nothing else: no prompts, no replies.
      </AreaHeader>
      <ListFrame
        list={requestsOfMember}
        query={query}
        place={place}
        options={{
          key: [...toKeyTitles(choices.keys), [toPlaygroundKeyId(memberId), 'Playground']],
          model: choices.models.map((name) => [name, name]),
        }}
        className="request-filters"
      >
        {rows.length === 0 ? (
          <p className="notice">
            {toEmptyText({ ...place, isFiltered: search !== '', rejections })}
          </p>
        ) : (
          <RequestTable path={path} requests={rows} sort={query.sort} />
        )}
      </ListFrame>
      <Rejections rejections={rejections} names={toKeyNames(choices)} />
    </div>
  );
}

type Emptiness = ListPlace & Pick<RequestChoices, 'rejections'> & Readonly<{ isFiltered: boolean }>;

function toEmptyText({ before, after, rejections, isFiltered }: Emptiness): string {
  if (after !== null) return 'None of the newest requests match. There may be older ones that do.';
  if (rejections.length > 0) {
    return 'Only the first ten rejected requests a minute of each key are listed. Below, all are counted.';
  }
  if (isFiltered) return before === null ? 'No requests match.' : 'No older requests match.';
  return before === null
    ? 'Nothing yet. Your first request shows up here a second after its end.'
    : 'There are no older requests.';
}

type RejectionsProps = Pick<RequestChoices, 'rejections'> &
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
