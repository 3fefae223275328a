import type { ReactNode } from 'react';

type MailPageProps = Readonly<{ title: string; lead: string; children?: ReactNode }>;

/** A page about mails. */
export function MailPage({ title, lead, children }: MailPageProps) {
  return (
    <div className="subscribe mail-page">
      <header className="page-header">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </header>
      {children}
    </div>
  );
}
