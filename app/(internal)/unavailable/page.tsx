import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Events cannot be read', robots: { index: false } };

/** An empty reference leads to the address that was asked for, query and all (RFC 3986 §5.2.2). */
const sameAddress = '';

/** Stands in for a page whose events cannot be read; the front sends it with the status that is true. */
export default function UnavailablePage() {
  return (
    <header className="page-header">
      <p className="page-code">Out of order</p>
      <h1>The events cannot be read right now</h1>
      <p className="lead">
        Their table does not answer, and old news would be worse than none. Nothing is lost: try
        again in a minute.
      </p>
      <p>
        <a className="button" href={sameAddress}>
          Try again
        </a>
      </p>
    </header>
  );
}
