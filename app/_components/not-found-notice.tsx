import type { ReactNode } from 'react';

type NotHereProps = Readonly<{ title: string; children: ReactNode }>;

/** Where there is nothing: says so, and leads back. */
export function NotFoundNotice({ title, children }: NotHereProps) {
  return (
    <header className="page-header">
      <p className="page-code">404</p>
      <h1>{title}</h1>
      <p className="lead">{children}</p>
      <p>
        <a className="button" href="/">
          See all events
        </a>
      </p>
    </header>
  );
}
