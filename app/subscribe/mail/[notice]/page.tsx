import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { isMailNotice, mailNotices } from '#lib/site/pages/plan-mail-page.ts';
import { MailPage, toMailMetadata } from '../_components/mail-page.tsx';

type NoticePageProps = Readonly<{ params: Promise<Readonly<{ notice: string }>> }>;

export async function generateMetadata({ params }: NoticePageProps): Promise<Metadata> {
  const { notice } = await params;
  const title = isMailNotice(notice) ? mailNotices[notice].title : 'Subscribe';
  return toMailMetadata(notice, title);
}

/** What happened to a form about emails. */
export default async function NoticePage({ params }: NoticePageProps) {
  const { notice } = await params;
  if (!isMailNotice(notice)) notFound();
  const { title, lead, text } = mailNotices[notice];
  return (
    <MailPage title={title} lead={lead}>
      <p>{text}</p>
      <p>
        <a className="button-quiet" href="/">
          See the events
        </a>
      </p>
    </MailPage>
  );
}
