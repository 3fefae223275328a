import type { ReactNode } from 'react';

type NotFoundNoticeProps = Readonly<{ title: string; children: ReactNode }>;

export function NotFoundNotice({ title, children }: NotFoundNoticeProps) {
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
