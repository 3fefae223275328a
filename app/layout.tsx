import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { getServices } from '#lib/services.ts';
import { SiteFooter } from './_components/site-footer.tsx';
import { SiteHeader } from './_components/site-header.tsx';
import { toSiteMetadata } from './_metadata/page-metadata.ts';
import { headScript } from './_scripts/head-script.ts';
import { fontVariables } from './_styles/fonts.ts';
import './globals.css';

export function generateMetadata(): Metadata {
  return toSiteMetadata(getServices().site);
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f2f2ef' },
    { media: '(prefers-color-scheme: dark)', color: '#101112' },
  ],
};

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  // Settings are those of the running server, not of the build.
  await connection();
  const { site } = getServices();
  return (
    // The script below may have set the scheme before React takes over.
    <html lang="en" className={fontVariables} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, which must run before the first paint. */}
        <script dangerouslySetInnerHTML={{ __html: headScript }} />
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to the content
        </a>
        <SiteHeader siteName={site.name} />
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter />
        {/* Filled by the script in the head, perhaps before React is there: what it holds is none of React's. */}
        <p
          className="said"
          role="status"
          data-said=""
          // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty, and says so.
          dangerouslySetInnerHTML={{ __html: '' }}
          suppressHydrationWarning
        />
      </body>
    </html>
  );
}
