import type { Metadata } from 'next';
import { MessageHeader } from '../../_components/notices.tsx';

export const metadata: Metadata = { title: 'Events unavailable', robots: { index: false } };

/** An empty reference is the URL of the page itself, with its query (RFC 3986 §5.2.2). */
const sameUrl = '';

/** Replaces a page whose events cannot be loaded. The request handler sets its status. */
export default function UnavailablePage() {
  return (
    <MessageHeader
      code="Out of order"
      title="Events are unavailable right now"
      action={
        <a className="button" href={sameUrl}>
          Try again
        </a>
      }
    >
      We can’t load them at the moment, and an old list could mislead you. Please try again in a
      minute.
    </MessageHeader>
  );
}
