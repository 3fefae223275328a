import type { Metadata } from 'next';
import { GroupPage, toGroupMetadata } from '../../_components/groups/group-page.tsx';

type SeriesPageProps = Readonly<{ params: Promise<{ series: string }> }>;

export async function generateMetadata({ params }: SeriesPageProps): Promise<Metadata> {
  return toGroupMetadata({ kind: 'series', slug: (await params).series });
}

/** The events of one series. */
export default async function SeriesPage({ params }: SeriesPageProps) {
  return <GroupPage kind="series" slug={(await params).series} />;
}
