'use client';

/** Shown when rendering a page failed. It failed on the server, so only a new request can help. */
export default function ErrorPage() {
  return (
    <header className="page-header">
      <p className="page-code">500</p>
      <h1>This page could not be shown</h1>
      <p className="lead">Something went wrong on our side. Please try again in a moment.</p>
      <p>
        <button className="button" type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </header>
  );
}
