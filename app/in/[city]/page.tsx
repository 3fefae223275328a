import type { Metadata } from 'next';
import { GroupPage, toGroupMetadata } from '../../_components/groups/group-page.tsx';

type CityPageProps = Readonly<{ params: Promise<{ city: string }> }>;

export async function generateMetadata({ params }: CityPageProps): Promise<Metadata> {
  return toGroupMetadata({ kind: 'city', slug: (await params).city });
}

/** The events of one city. */
export default async function CityPage({ params }: CityPageProps) {
  return <GroupPage kind="city" slug={(await params).city} />;
}
