import type { Metadata } from 'next';
import { GroupPage, toGroupMetadata } from '../../_components/groups/group-page.tsx';

type OrganizerPageProps = Readonly<{ params: Promise<{ organizer: string }> }>;

export async function generateMetadata({ params }: OrganizerPageProps): Promise<Metadata> {
  return toGroupMetadata({ kind: 'organizer', slug: (await params).organizer });
}

/** The events of one organizer. */
export default async function OrganizerPage({ params }: OrganizerPageProps) {
  return <GroupPage kind="organizer" slug={(await params).organizer} />;
}
