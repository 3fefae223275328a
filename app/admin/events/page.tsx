import type { Metadata } from 'next';
import { Fragment } from 'react';
import {
  findProblems,
  type TableHealth,
  type TableProblem,
  toTableHealth,
} from '#lib/accounts/admin/table-health.ts';
import type { MarqueeEvent } from '#lib/events/model/schema.ts';
import { listExamples } from '#lib/events/source/airtable/problem-groups.ts';
import { toTitleWithState } from '#lib/events/view/event-facts.ts';
import { toDatesInWords } from '#lib/events/words/dates-in-words.ts';
import { statusWords } from '#lib/events/words/filter-words.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { ListForm } from '../../_components/area/list-frame.tsx';
import type { QueryPageProps } from '../../_components/area/read-query.ts';
import { Moment } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { AdminPage, openList, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Events');

const eventSearch = {
  path: '/admin/events',
  search: 'Is an event missing? Search its name or record id',
  filters: {},
  sorts: {},
};

/** What the last reads of the events table found. */
export default async function EventsPage({ searchParams }: QueryPageProps) {
  await requireAdmin();
  const { query } = await openList(eventSearch, searchParams);
  const { text } = query;
  const { events, config, findCallQuota } = getServices();
  // If the table cannot be read, the page says so.
  const snapshot = await events.current().catch(() => null);
  const quota = await findCallQuota();
  const health = toTableHealth(events.status(), config.airtable);
  const { readAtMs, failure } = health;
  return (
    <AdminPage
      path="/admin/events"
      title="Events table"
      lead={
        readAtMs === null ? (
          'Not read since the server started.'
        ) : (
          <>
            Last read <Moment timeMs={readAtMs} />, {toSeconds(Date.now() - readAtMs)} ago.
          </>
        )
      }
    >
      {failure !== null && (
        <div className={failure.isOver ? 'notice' : 'notice notice-wrong'}>
          <p>
            {failure.isOver
              ? 'The table can be read again. Last failure:'
              : 'The table can’t be read.'}{' '}
            {toSentence(failure.reason)}
          </p>
          <p className="quiet">
            <Moment timeMs={failure.atMs} />
          </p>
        </div>
      )}
      <dl className="usage-sums">
        <Fact term="Events on the site">{formatCount(health.events ?? 0)}</Fact>
        <Fact term="Rows left out">{formatCount(health.leftOut)}</Fact>
        <Fact term="Cells repaired">{formatCount(health.repaired)}</Fact>
        <Fact term="Airtable calls this month">
          {formatCount(quota.used)}
          {quota.callsMax !== null && ` of ${formatCount(quota.callsMax)}`}
        </Fact>
      </dl>
      <p className={quota.isNearlyUsed ? 'notice notice-wrong' : 'quiet'}>
        At this rate: {formatCount(quota.projected)} Airtable calls in 30 days.
        {quota.isNearlyUsed &&
          ' That is 80% of what the plan allows, or more: raise EVENTS_CACHE_SECONDS, or upgrade the plan.'}
      </p>
      <ListForm list={eventSearch} query={query} />
      {text !== '' && snapshot !== null && (
        <LookedUp text={text} events={snapshot.events} problems={findProblems(health, text)} />
      )}
      <section className="section" aria-labelledby="rows">
        <h2 id="rows">Rows left out or repaired</h2>
        <Problems {...health} />
      </section>
    </AdminPage>
  );
}

type LookedUpProps = Readonly<{
  text: string;
  events: readonly MarqueeEvent[];
  problems: readonly TableProblem[];
}>;

const foundMax = 10;

/** Where an event is, or why it is missing. */
function LookedUp({ text, events, problems }: LookedUpProps) {
  const plain = text.toLowerCase();
  const found = events
    .filter(({ id, name, slug }) => `${id} ${name} ${slug}`.toLowerCase().includes(plain))
    .slice(0, foundMax);
  return (
    <section className="section" aria-labelledby="looked-up">
      <h2 id="looked-up">“{text}”</h2>
      {found.length + problems.length === 0 && (
        <p>
          No row has this name or id. Check that it is in this table and view, and has a name and a
          start date. New rows appear within five minutes. The list below has the rows that were
          left out.
        </p>
      )}
      <ul className="looked-up">
        {found.map((event) => (
          <li key={event.id}>
            On the site: <a href={`/events/${event.slug}`}>{toTitleWithState(event)}</a>,{' '}
            {toDatesInWords(event)}, {statusWords[event.status].toLowerCase()}
          </li>
        ))}
        {problems.flatMap(({ id, column, isLeftOut, meaning, rows }) =>
          rows.map(({ recordId, url, value }) => (
            <li key={`${id} ${recordId}`}>
              <a href={url} rel="noreferrer">
                {recordId}
              </a>
              : {isLeftOut ? 'left out, ' : ''}
              {meaning} ({column}
              {value !== '' && `: ${value}`})
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

function Problems({ problems }: TableHealth) {
  if (problems.length === 0) return <p className="lead">None.</p>;
  return (
    <ul className="table-problems">
      {problems.map((problem) => (
        <li key={problem.id} id={problem.id}>
          <Problem {...problem} />
        </li>
      ))}
    </ul>
  );
}

/** How often something is wrong, examples and what to do; the rows on demand. */
function Problem({ column, isLeftOut, meaning, advice, count, rows }: TableProblem) {
  const examples = listExamples(rows).filter(({ value }) => value.trim() !== '');
  return (
    <>
      <h3>
        {column}: {meaning}
      </h3>
      <p>
        {formatCountOf(count, isLeftOut ? 'row' : 'cell')} {isLeftOut ? 'left out' : 'repaired'}
        {examples.map(({ recordId, value }, index) => (
          <Fragment key={recordId}>
            {index === 0 ? ', such as ' : ', '}
            <q>{value}</q>
          </Fragment>
        ))}
        . {advice}
      </p>
      <details>
        <summary>
          {rows.length < count
            ? `The first ${formatCount(rows.length)}`
            : formatCountOf(count, 'row')}
        </summary>
        <ul className="table-problem-rows">
          {rows.map(({ recordId, url, value }) => (
            <li key={`${recordId} ${value}`}>
              <a className="mono" href={url} rel="noreferrer">
                {recordId}
              </a>{' '}
              {value}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function toSeconds(durationMs: number): string {
  const seconds = Math.max(Math.round(durationMs / 1000), 0);
  return formatCountOf(seconds, 'second');
}

function toSentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}
