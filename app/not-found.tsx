import type { Metadata } from 'next';
import { NotFoundNotice } from './_components/not-found-notice.tsx';

export const metadata: Metadata = { title: 'Not found', robots: { index: false } };

export default function NotFound() {
  return (
    <NotFoundNotice title="There is nothing at this address">
      Perhaps a letter is missing. Everything starts from the wall of events, or from the{' '}
      <a href="/docs">docs</a>.
    </NotFoundNotice>
  );
}
