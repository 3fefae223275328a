import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import type { Paging } from '#lib/accounts/admin/paging.ts';
import { findAdminDone, findAdminProblem } from '#lib/accounts/admin/problems.ts';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSession } from '#lib/site/pages/page-source.ts';
import { AreaNav } from '../../_components/area/area-nav.tsx';
import { Outcome } from '../../_components/notices.tsx';
import { PageLinks } from '../../_components/page-links.tsx';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../_components/area/forms.css';
import '../../_components/area/area.css';
import '../../_components/area/usage.css';
import './admin.css';

const areas = [
  ['/admin', 'Status'],
  ['/admin/members', 'Members'],
  ['/admin/groups', 'Groups'],
  ['/admin/keys', 'Keys'],
  ['/admin/requests', 'Requests'],
  ['/admin/usage', 'Usage'],
  ['/admin/upstreams', 'Upstreams'],
  ['/admin/events', 'Events'],
  ['/admin/webhooks', 'Webhooks'],
  ['/admin/deliveries', 'Deliveries'],
  ['/admin/log', 'Log'],
] as const;

type FrameProps = Readonly<{
  /** The area that it belongs to. */
  path: (typeof areas)[number][0];
  title: string;
  lead: ReactNode;
  /** Of the URL: it says what was just changed, or why nothing was. */
  query?: Readonly<Record<string, string | undefined>>;
  children: ReactNode;
}>;

/** The frame of all admin pages. */
export async function AdminPage(props: FrameProps) {
  const { path, title, lead, query = {}, children } = props;
  const problem = findAdminProblem(query.problem);
  const done = await findAdminDone(query, getServices().database);
  return (
    <div className="account admin">
      <header className="area-header">
        <AreaNav label="Admin" areas={areas} path={path} />
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </header>
      <Outcome problem={problem} done={done} />
      {children}
    </div>
  );
}

/** Metadata of an admin page, which no search engine lists. */
export function toAdminMetadata(title: string): Metadata {
  return { title: `${title} · Admin`, robots: { index: false } };
}

/** The admin who is signed in. Planning the page has checked this too, but pages do not rely on it. */
export async function requireAdmin(): Promise<SignedIn> {
  const signedIn = await loadPageSession(getServices(), await headers());
  if (signedIn === null || signedIn === 'unreadable') return notFound();
  return signedIn.isAdmin ? signedIn : notFound();
}

type PagerProps = Readonly<{
  path: string;
  /** The filters that are on. */
  query: Readonly<Record<string, string | undefined>>;
  paging: Paging;
}>;

/** Links to the previous and next page; nothing for a list of one page. */
export function Pager({ path, query, paging: { page, pages } }: PagerProps) {
  if (pages === 1) return null;
  const toHref = (other: number) => {
    const filters = Object.entries(query).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    );
    return `${path}?${new URLSearchParams([...filters, ['page', String(other)]])}`;
  };
  return <PageLinks className="row" page={page} pages={pages} toHref={toHref} />;
}

type SearchFormProps = Readonly<{ action: string; label: string; text: string }>;

/** Finds entries of a long list by a text. */
export function SearchForm({ action, label, text }: SearchFormProps) {
  return (
    <search>
      <form method="get" action={action} className="admin-search">
        <p className="field">
          <label htmlFor="search">{label}</label>
          <input id="search" name="q" type="search" defaultValue={text} maxLength={200} />
        </p>
        <button type="submit" className="button">
          Search
        </button>
        {text !== '' && (
          <a className="button-quiet" href={action}>
            All
          </a>
        )}
      </form>
    </search>
  );
}
