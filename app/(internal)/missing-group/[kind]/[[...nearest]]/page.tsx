import type { Metadata } from 'next';
import { type NameKind, nameKinds } from '#lib/events/source/name-index.ts';
import { findGroup, toGroupPath, toGroupTitle } from '#lib/events/view/named-groups.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSnapshot } from '#lib/site/pages/page-source.ts';
import { FindEvents } from '../../../../_components/find-events.tsx';
import { MessageHeader } from '../../../../_components/notices.tsx';

export const metadata: Metadata = { title: 'Nothing here', robots: { index: false } };

const titles: Readonly<Record<NameKind, string>> = {
  city: 'No events in this city',
  organizer: 'No events by this organizer',
  series: 'No such series',
};

type MissingGroupProps = Readonly<{
  params: Promise<{ kind: string; nearest?: readonly string[] }>;
}>;

/** The 404 page for an unknown city, organizer or series, with the slugs of those that may be meant. */
export default async function MissingGroupPage({ params }: MissingGroupProps) {
  const { kind: text, nearest: slugs = [] } = await params;
  const kind = nameKinds.find((kind) => kind === text) ?? 'city';
  const snapshot = await loadPageSnapshot(getServices());
  const nearest = slugs.flatMap(
    (slug) => findGroup(snapshot, kind, decodeURIComponent(slug)) ?? [],
  );
  return (
    <>
      <MessageHeader code="404" title={titles[kind]} action={<FindEvents />}>
        Check the URL for a typo, or look through all events.
      </MessageHeader>
      {nearest.length > 0 && (
        <section aria-labelledby="nearest">
          <h2 id="nearest">Did you mean this?</h2>
          <ul>
            {nearest.map((group) => (
              <li key={group.slug}>
                <a href={toGroupPath(group)}>
                  <bdi>{toGroupTitle(group)}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
