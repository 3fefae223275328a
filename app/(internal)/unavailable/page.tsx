import type { Metadata } from 'next';
import { formatCount } from '#lib/events/words/format-count.ts';
import { MessageHeader } from '../../_components/notices.tsx';

export const metadata: Metadata = { title: 'Events unavailable', robots: { index: false } };

/** An empty reference is the URL of the page itself, with its query (RFC 3986 §5.2.2). */
const sameUrl = '';

type UnavailablePageProps = Readonly<{ searchParams: Promise<{ rows?: string }> }>;

/** Replaces a page whose events cannot be loaded, or have not been read yet. The request handler sets its status. */
export default async function UnavailablePage({ searchParams }: UnavailablePageProps) {
  const { rows } = await searchParams;
  return (
    <MessageHeader
      code={rows === undefined ? 'Out of order' : 'Just started'}
      title={
        rows === undefined ? 'Events are unavailable right now' : 'Events are still being read'
      }
      action={
        <a className="button" href={sameUrl}>
          Try again
        </a>
      }
    >
      {rows === undefined
        ? 'We can’t load them at the moment, and an old list could mislead you. Please try again in a minute.'
        : `${toProgress(Number(rows))} Please try again in a minute.`}
    </MessageHeader>
  );
}

function toProgress(rows: number): string {
  return rows > 0
    ? `The list is long: more than ${formatCount(rows)} rows are here already.`
    : 'The list is long, and we have just begun.';
}
