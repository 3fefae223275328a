import type { SiteNotice } from '#lib/events/view/site-notice.ts';

/** What the operator tells everybody. */
export function Notice({ notice }: Readonly<{ notice: SiteNotice | null }>) {
  if (notice === null) return null;
  const { text, url, until } = notice;
  return (
    <aside className="site-notice" aria-label="Notice">
      <p>
        <bdi>{text}</bdi> {url !== null && <a href={url}>More</a>}
      </p>
      {until !== null && <p className="quiet">Until {until}</p>}
    </aside>
  );
}
