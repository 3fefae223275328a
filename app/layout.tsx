import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { getServices } from '#lib/services.ts';
import './globals.css';

export function generateMetadata(): Metadata {
  const { site } = getServices();
  return {
    metadataBase: new URL(site.url),
    title: { default: `${site.name}: events`, template: `%s · ${site.name}` },
    description: 'Events of a community of makers: what is on now, what is coming up.',
  };
}

export const viewport: Viewport = { colorScheme: 'light dark' };

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  // Settings are those of the running server, not of the build.
  await connection();
  const { site } = getServices();
  return (
    <html lang="en">
      <body>
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <header className="site-header">
          <a className="site-name" href="/">
            {site.name}
          </a>
          <nav aria-label="Site">
            <a href="/">Events</a>
            <a href="/docs">Docs</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <footer className="site-footer">
          <p>
            Every page is Markdown too: add <code>.md</code> to its address, or start at{' '}
            <a href="/llms.txt">llms.txt</a>.
          </p>
        </footer>
      </body>
    </html>
  );
}
