import type { Metadata } from 'next';
import { NotFoundNotice } from './_components/notices.tsx';

export const metadata: Metadata = { title: 'Not found', robots: { index: false } };

export default function NotFound() {
  return (
    <NotFoundNotice title="Page not found">
      Check the URL for a typo, or look in the <a href="/docs">docs</a>.
    </NotFoundNotice>
  );
}
