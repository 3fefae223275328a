import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'No such month', robots: { index: false } };

/** Replaces the month view where the URL has no month that it shows. */
export default function NoMonthPage() {
  return (
    <header className="page-header">
      <p className="page-code">404</p>
      <h1>That month isn’t in the calendar</h1>
      <p className="lead">
        It goes ten years back and five years ahead. Write a month as <code>2026-12</code>.
      </p>
      <p>
        <a className="button" href="/calendar">
          Go to this month
        </a>
      </p>
    </header>
  );
}
