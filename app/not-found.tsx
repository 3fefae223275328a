import type { Metadata } from 'next';
import { FindEvents } from './_components/find-events.tsx';
import { MessageHeader } from './_components/notices.tsx';

export const metadata: Metadata = { title: 'Not found', robots: { index: false } };

export default function NotFound() {
  return (
    <MessageHeader code="404" title="Page not found" action={<FindEvents />}>
      Check the URL for a typo, or look in the <a href="/docs">docs</a>.
    </MessageHeader>
  );
}
