import type { Metadata } from 'next';
import { getServices } from '#lib/services.ts';
import { getLinkedPage } from '#lib/site/pages/page-table.ts';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { MyList } from './saved-list.tsx';
import './saved.css';

const linked = getLinkedPage('/saved');

export function generateMetadata(): Metadata {
  // Each visitor sees a different list here.
  return toPageMetadata({ ...linked, isIndexed: false });
}

/** The events that a visitor saved. The list is in the browser; the page is the same for everyone. */
export default function SavedPage() {
  const { config, mail } = getServices();
  return (
    <>
      <header className="page-header">
        <h1>{linked.title}</h1>
        <p className="lead">
          Saved in this browser only. Nobody else sees it. A link takes it to another device.
        </p>
      </header>
      <p className="notice only-without-script">
        This list needs JavaScript, which is turned off in your browser.{' '}
        <a href="/">See all events</a>.
      </p>
      <MyList timeZone={config.events.timeZone} hasMail={mail !== null} />
    </>
  );
}
