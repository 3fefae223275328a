import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import type { SiteNotice } from '#lib/events/view/site-notice.ts';
import { getServices } from '#lib/services.ts';
import { listLinkedPages } from '#lib/site/pages/page-table.ts';
import { Announcement } from './_components/announcement.tsx';
import { SiteFooter } from './_components/site-footer.tsx';
import { SiteHeader } from './_components/site-header.tsx';
import { fontVariables } from './_styles/fonts.ts';
import './globals.css';

/** Settings are those of the running server, not of the build. */
export const dynamic = 'force-dynamic';

/** Metadata that all pages share. */
export function generateMetadata(): Metadata {
  const { site } = getServices();
  return {
    metadataBase: new URL(site.url),
    title: { default: `${site.name}: events`, template: `%s · ${site.name}` },
    description: 'Events of a community of makers: what is on now, what is coming up.',
    applicationName: site.name,
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        { url: '/favicon.ico', sizes: '32x32' },
        { url: '/icon.svg', type: 'image/svg+xml' },
      ],
      apple: '/apple-touch-icon.png',
    },
    formatDetection: { telephone: false, date: false, address: false, email: false },
  };
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f2f2ef' },
    { media: '(prefers-color-scheme: dark)', color: '#101112' },
  ],
};

/**
 * Applies what this browser remembers, before the first paint: colours, layout, and whether events are saved.
 * Storage may be disabled.
 */
const memoryScript = `try {
  const { dataset } = document.documentElement;
  const scheme = localStorage.getItem('scheme');
  if (scheme === 'light' || scheme === 'dark') dataset.scheme = scheme;
  const hasLayout = location.pathname !== '/' || /[?&]view=/.test(location.search);
  if (!hasLayout && localStorage.getItem('layout') === 'list') dataset.layout = 'list';
  if ((localStorage.getItem('saved-events') ?? '[]') !== '[]') dataset.hasSaved = '';
} catch {}`;

const headerPages = [...listLinkedPages('header'), { path: '/docs', title: 'Docs' }];

export default async function RootLayout({ children }: Readonly<{ children: ReactNode }>) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const { site, members } = getServices();
  return (
    // The script below may have set attributes before React hydrates the page.
    <html lang="en" className={fontVariables} suppressHydrationWarning>
      <head>
        <script
          nonce={nonce}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
          dangerouslySetInnerHTML={{ __html: memoryScript }}
          // Browsers hide a nonce from scripts.
          suppressHydrationWarning
        />
      </head>
      <body>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <SiteHeader siteName={site.name} pages={headerPages} hasAccounts={members !== null} />
        {site.notice !== null && <Notice {...site.notice} />}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter {...site} pages={listLinkedPages('footer')} />
        <Announcement />
      </body>
    </html>
  );
}

/** What the operator tells everybody. */
function Notice({ text, url, until }: SiteNotice) {
  return (
    <aside className="site-notice" aria-label="Notice">
      <p>
        <bdi>{text}</bdi> {url !== null && <a href={url}>More</a>}
      </p>
      {until !== null && <p className="quiet">Until {until}</p>}
    </aside>
  );
}
