import type { Metadata } from 'next';
import { type ShownChange, selectChanges } from '#lib/events/view/shown-changes.ts';
import { toFullDay } from '#lib/events/words/dates-in-words.ts';
import { toTextAttributes } from '#lib/events/words/event-language.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { toStripe } from '../_components/events/event-line.tsx';
import { PageFormats } from '../_components/page-formats.tsx';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import './changes.css';

/** More would make a page that nobody reads to its end. */
const shownMax = 200;

const linked = getLinkedPage('/changes');

export function generateMetadata(): Metadata {
  return toPageMetadata(linked);
}

/** What has changed in the last thirty days, for people who made plans. */
export default async function ChangesPage() {
  const snapshot = await loadPageSnapshot(getServices());
  const changes = selectChanges(snapshot);
  const shown = changes.slice(0, shownMax);
  return (
    <>
      <header className="page-header">
        <h1>{linked.title}</h1>
        <p className="lead">{toLead(changes.length)}</p>
      </header>
      {[...Map.groupBy(shown, ({ day }) => day)].map(([day, changesOfDay]) => (
        <section key={day} className="changes-day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            <time dateTime={day}>{toFullDay(day)}</time>
          </h2>
          <ul>
            {changesOfDay.map((change) => (
              <Change key={change.id} change={change} />
            ))}
          </ul>
        </section>
      ))}
      <p className="row more">
        {shown.length < changes.length && `These are the newest ${shown.length}. `}
        <a className="button-quiet" href="/subscribe">
          Get changes sent to you
        </a>
      </p>
      <PageFormats
        links={{
          Markdown: '/changes.md',
          RSS: '/api/v1/events/changes/rss',
          JSON: '/api/v1/events/changes',
        }}
      />
    </>
  );
}

function Change({ change }: Readonly<{ change: ShownChange }>) {
  const { title, mark, words, event } = change;
  return (
    <li className="change" style={event === null ? undefined : toStripe(event)}>
      <span className="badge" data-mark={mark}>
        {mark}
      </span>
      {event === null ? (
        <bdi className="change-title">{title}</bdi>
      ) : (
        <a className="change-title" href={`/events/${event.slug}`}>
          <bdi {...toTextAttributes(event)}>{title}</bdi>
        </a>
      )}
      <span>{words}</span>
    </li>
  );
}

function toLead(count: number): string {
  if (count === 0) return 'Nothing has changed in the last thirty days.';
  const changes = count === 1 ? 'One change' : `${formatCount(count)} changes`;
  return `${changes} in the last thirty days, the newest first.`;
}
