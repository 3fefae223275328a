import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Events unavailable', robots: { index: false } };

/** An empty reference is the URL of the page itself, with its query (RFC 3986 §5.2.2). */
const sameUrl = '';

/** Replaces a page whose events cannot be loaded. The request handler sets its status. */
export default function UnavailablePage() {
  return (
    <header className="page-header">
      <p className="page-code">Out of order</p>
      <h1>Events are unavailable right now</h1>
      <p className="lead">
        We can’t load them at the moment, and an old list could mislead you. Please try again in a
        minute.
      </p>
      <p>
        <a className="button" href={sameUrl}>
          Try again
        </a>
      </p>
    </header>
  );
}
