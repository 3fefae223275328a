import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'Not found', robots: { index: false } };

export default function NotFound() {
  return (
    <header className="page-header">
      <h1>There is nothing at this address</h1>
      <p className="lead">An event that was renamed has a new address.</p>
      <p>
        <a href="/">Look for it among all events</a>
      </p>
    </header>
  );
}
