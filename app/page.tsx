import type { Metadata } from 'next';
import { toSections } from '#lib/events/sections.ts';
import { getServices } from '#lib/services.ts';
import { EventSection } from './_components/event-section.tsx';
import { FormLinks } from './_components/form-links.tsx';
import { toAlternates } from './_metadata/alternates.ts';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { alternates: toAlternates('/') };

/** The directory: everything that is on, coming up, and over. */
export default async function DirectoryPage() {
  const { events: loader, site } = getServices();
  const { events, day } = await loader.current();
  const { onNow, comingUp, openEnded, past } = toSections(events);
  return (
    <>
      <header className="page-header">
        <h1>{site.name}</h1>
        <p className="lead">
          Hackathons, jams, build nights and challenges of a community that makes things.{' '}
          <strong>{onNow.length + openEnded.length} on now</strong>, {comingUp.length} coming up.
        </p>
        <FormLinks
          forms={{
            Page: '/',
            Markdown: '/index.md',
            JSON: '/api/v1/events',
            RSS: '/api/v1/events/rss',
            Calendar: '/api/v1/events/calendar.ics',
          }}
        />
      </header>
      <EventSection title="On now" events={onNow} shownMax={200} today={day} />
      <EventSection title="Coming up" events={comingUp} shownMax={200} today={day} />
      <EventSection title="Open-ended" events={openEnded} shownMax={60} today={day} />
      <EventSection title="Past" events={past} shownMax={60} today={day} />
    </>
  );
}
