import type { Metadata } from 'next';
import { MessageHeader } from '../../_components/notices.tsx';

export const metadata: Metadata = { title: 'No such month', robots: { index: false } };

/** Replaces the month view where the URL has no month that it shows. */
export default function NoMonthPage() {
  return (
    <MessageHeader
      code="404"
      title="That month isn’t in the calendar"
      action={
        <a className="button" href="/calendar">
          Go to this month
        </a>
      }
    >
      It goes ten years back and five years ahead. Write a month as <code>2026-12</code>.
    </MessageHeader>
  );
}
