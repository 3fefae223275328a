import type { ReactNode } from 'react';
import { AreaNav } from '../../_components/area/area-nav.tsx';

const areas = [
  ['/account', 'Keys'],
  ['/account/usage', 'Usage'],
  ['/account/requests', 'Requests'],
  ['/account/playground', 'Playground'],
] as const;

type AccountPath = (typeof areas)[number][0];

/** The pages of a member. */
export function AccountNav({ path }: Readonly<{ path: AccountPath }>) {
  return <AreaNav label="Account" areas={areas} path={path} />;
}

type AreaHeaderProps = Readonly<{ path: AccountPath; title: string; children: ReactNode }>;

/** The header of one of them; the children are its lead. */
export function AreaHeader({ path, title, children }: AreaHeaderProps) {
  return (
    <header className="area-header">
      <AccountNav path={path} />
      <h1>{title}</h1>
      <p className="lead">{children}</p>
    </header>
  );
}
