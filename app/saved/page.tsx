import type { Metadata } from 'next';
import { getServices } from '#lib/services.ts';
import { toPageMetadata } from '../_metadata/page-metadata.ts';
import { MyList } from './saved-list.tsx';
import './saved.css';

export function generateMetadata(): Metadata {
  return toPageMetadata({
    path: '/saved',
    title: 'My list',
    description: 'The events that you saved in this browser.',
    // Each visitor sees a different list here.
    isIndexed: false,
  });
}

/** The events that a visitor saved. The list is in the browser; the page is the same for everyone. */
export default function SavedPage() {
  const { config, mail } = getServices();
  return (
    <>
      <header className="page-header">
        <h1>My list</h1>
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
