import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { adminPages } from '#lib/accounts/admin/admin-pages.ts';
import { findAdminDone, findAdminProblem } from '#lib/accounts/admin/problems.ts';
import { type ListFields, readListQuery } from '#lib/accounts/lists/list-query.ts';
import { toListSource } from '#lib/accounts/lists/list-view.ts';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSession } from '#lib/site/pages/page-source.ts';
import { AreaNav } from '../../_components/area/area-nav.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { Outcome } from '../../_components/notices.tsx';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../_components/area/forms.css';
import '../../_components/area/area.css';
import '../../_components/area/usage.css';
import './admin.css';

type FrameProps = Readonly<{
  /** The area that it belongs to. */
  path: (typeof adminPages)[number][0];
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
        <AreaNav label="Admin" areas={adminPages} path={path} />
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

/** What the URL of a page asks of a list, and what that is loaded from. */
export async function openList<Sort extends string, Filter extends string>(
  list: ListFields<Sort, Filter>,
  searchParams: QueryPageProps['searchParams'],
) {
  const values = await readQuery(searchParams);
  return { values, query: readListQuery(list, values), source: toListSource(getServices()) };
}
