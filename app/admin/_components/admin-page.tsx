import type { ReactNode } from 'react';
import '../../_styles/fields.css';
import '../../_styles/prose.css';
import '../../account/_components/account.css';
import './admin.css';

const areas = [
  ['/admin', 'Members'],
  ['/admin/groups', 'Groups'],
  ['/admin/keys', 'Keys'],
  ['/admin/usage', 'Usage'],
  ['/admin/upstreams', 'Upstreams'],
  ['/admin/events', 'Events'],
  ['/admin/log', 'Log'],
] as const;

type AdminPageProps = Readonly<{
  /** The area that it belongs to. */
  path: (typeof areas)[number][0];
  title: string;
  lead: ReactNode;
  problem?: string | null;
  children: ReactNode;
}>;

/** The frame of all admin pages. */
export function AdminPage({ path, title, lead, problem = null, children }: AdminPageProps) {
  return (
    <div className="account admin">
      <header className="admin-header">
        <nav aria-label="Admin" className="admin-nav">
          <ul>
            {areas.map(([href, name]) => (
              <li key={href}>
                <a href={href} aria-current={href === path ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </header>
      {problem !== null && (
        <p className="notice notice-wrong" role="alert">
          {problem}
        </p>
      )}
      {children}
    </div>
  );
}
