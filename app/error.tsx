'use client';

/** What a page shows where rendering it failed. Only a new request can mend that: it failed on the server. */
export default function ErrorPage() {
  return (
    <header className="page-header">
      <p className="page-code">500</p>
      <h1>This page could not be shown</h1>
      <p className="lead">It is our fault, not yours. It may work in a moment.</p>
      <p>
        <button className="button" type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </header>
  );
}
