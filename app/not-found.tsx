import type { Metadata } from 'next';
import { NotHere } from './_components/not-here.tsx';

export const metadata: Metadata = { title: 'Not found', robots: { index: false } };

export default function NotFound() {
  return (
    <NotHere title="There is nothing at this address">
      Perhaps a letter is missing. Everything starts from the wall of events, or from the{' '}
      <a href="/docs">docs</a>.
    </NotHere>
  );
}
