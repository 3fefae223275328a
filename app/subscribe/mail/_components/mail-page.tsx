import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { toPageMetadata } from '../../../_metadata/page-metadata.ts';
import '../../../_styles/fields.css';
import '../../../_styles/prose.css';
import '../../subscribe.css';

type MailPageProps = Readonly<{ title: string; lead: string; children?: ReactNode }>;

/** A page about emails. */
export function MailPage({ title, lead, children }: MailPageProps) {
  return (
    <div className="subscribe stack mail-page">
      <header className="page-header">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </header>
      {children}
    </div>
  );
}

/** Metadata of a page about emails, which no search engine lists. @param name the last part of its path. */
export function toMailMetadata(name: string, title: string): Metadata {
  const path = `/subscribe/mail/${name}`;
  return toPageMetadata({ path, title, description: title, isIndexed: false });
}
