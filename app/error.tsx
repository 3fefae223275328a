'use client';

/** What a page shows where rendering it failed. */
export default function ErrorPage({ reset }: Readonly<{ error: Error; reset: () => void }>) {
  return (
    <header className="page-header">
      <h1>This page could not be shown</h1>
      <p className="lead">It is our fault, not yours. It may work in a moment.</p>
      <p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </p>
    </header>
  );
}
