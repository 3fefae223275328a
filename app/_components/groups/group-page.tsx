import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { EventStatus } from '#lib/events/model/schema.ts';
import { formatQuery } from '#lib/events/query/events-query.ts';
import type { NamedGroup, NameKind } from '#lib/events/source/name-index.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';
import { findFirstKind } from '#lib/events/view/directory/directory-view.ts';
import {
  findGroup,
  toGroupFilters,
  toGroupName,
  toGroupPath,
  toGroupTitle,
} from '#lib/events/view/named-groups.ts';
import { countEvents, selectDirectoryView } from '#lib/events/view/select-views.ts';
import { toLinkName } from '#lib/events/words/clean-text.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { toItemListJsonLd } from '#lib/representations/seo/json-ld.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { JsonLd } from '../../_metadata/json-ld.tsx';
import { toPageMetadata } from '../../_metadata/page-metadata.ts';
import { DirectorySection } from '../../(directory)/directory-section.tsx';
import { Icon } from '../icon.tsx';
import { PageFormats, toListFormats } from '../page-formats.tsx';
import '../../(directory)/event-list.css';

type Requested = Readonly<{ kind: NameKind; slug: string }>;

export async function toGroupMetadata(requested: Requested): Promise<Metadata> {
  const { group } = await loadGroup(requested);
  return toPageMetadata({
    path: toGroupPath(group),
    filters: toGroupFilters(group),
    embeds: toGroupPath(group),
    title: toGroupTitle(group),
    description: `${toGroupTitle(group)}: what is on now, what is coming up, and what has been.`,
  });
}

/** The events of a city, an organizer or a series, past ones among them. */
export async function GroupPage(requested: Requested) {
  const { site } = getServices();
  const { snapshot, group } = await loadGroup(requested);
  const filters = toGroupFilters(group);
  const view = selectDirectoryView(snapshot, { filters, page: 1 });
  const events = view.sections.flatMap((section) => section.events);
  const firstKind = findFirstKind(view);
  return (
    <>
      <JsonLd data={toItemListJsonLd(events, { site })} />
      <header className="page-header">
        <h1>
          <GroupHeading group={group} />
        </h1>
        <p className="lead">{describeCounts(countEvents(snapshot, filters))}</p>
        <GroupLinks group={group} snapshot={snapshot} />
      </header>
      {view.sections.map((section) => (
        <DirectorySection
          key={section.kind}
          section={section}
          today={snapshot.day}
          filters={filters}
          layout="posters"
          isFirst={section.kind === firstKind}
          isPaged={false}
        />
      ))}
      <PageFormats links={toListFormats(`${toGroupPath(group)}.md`, filters)} />
    </>
  );
}

async function loadGroup({ kind, slug }: Requested) {
  const snapshot = await loadPageSnapshot(getServices());
  const group = findGroup(snapshot, kind, toText(slug));
  return group === undefined ? notFound() : { snapshot, group };
}

function GroupHeading({ group }: Readonly<{ group: NamedGroup }>) {
  const name = <bdi>{toGroupName(group)}</bdi>;
  if (group.kind === 'city') return <>Events in {name}</>;
  return group.kind === 'organizer' ? <>Events by {name}</> : name;
}

type GroupLinksProps = Readonly<{ group: NamedGroup; snapshot: EventsSnapshot }>;

function GroupLinks({ group, snapshot }: GroupLinksProps) {
  const search = formatQuery(toGroupFilters(group));
  const website = group.kind === 'organizer' ? findWebsite(group, snapshot) : null;
  return (
    <p className="row">
      <a className="button" href={`/subscribe${search}`}>
        <Icon name="bell" />
        Subscribe
      </a>
      <a className="button-quiet" href={`/calendar${search}`}>
        Month by month
      </a>
      {website !== null && <a href={website}>{toLinkName(website)}</a>}
    </p>
  );
}

/** The newest one, if the events say any. */
function findWebsite({ positions }: NamedGroup, { events }: EventsSnapshot): string | null {
  const urls = positions.map((position) => events[position]?.organizer?.url ?? null);
  return urls.findLast((url) => url !== null) ?? null;
}

/** `1 on now, 3 coming up, 12 past.` */
function describeCounts({ ongoing, upcoming, ended }: Record<EventStatus, number>): string {
  const counts = [
    [ongoing, 'on now'],
    [upcoming, 'coming up'],
    [ended, 'past'],
  ] as const;
  const words = counts.flatMap(([count, name]) =>
    count === 0 ? [] : [`${formatCount(count)} ${name}`],
  );
  return `${words.join(', ')}.`;
}

/** Next leaves percent-encoding as it is. */
function toText(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
