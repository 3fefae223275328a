import { type EventsQuery, formatQuery } from '#lib/events/query/events-query.ts';
import { pageUrl, type Site } from '#lib/events/view/site-urls.ts';
import { embedCount, toFrameHeight, toFrameHtml } from '#lib/representations/embed/embed-query.ts';
import { CodeBlock } from '../_components/code-block.tsx';

type EmbedSectionProps = Readonly<{ filters: EventsQuery; site: Site; title: string }>;

const shownCount = 3;

/** The events on another site: the HTML for it, and how that looks. */
export function EmbedSection({ filters, site, title }: EmbedSectionProps) {
  const search = formatQuery(filters);
  const embedSearch = `${search}${search === '' ? '?' : '&'}count=${shownCount}`;
  const height = toFrameHeight(shownCount);
  const src = pageUrl(site, 'embed', embedSearch);
  const code = toFrameHtml({ src, title, width: '100%', height });
  const { min, max } = embedCount;
  return (
    <section aria-labelledby="embed">
      <h2 id="embed">On your own site</h2>
      <p>Paste this where the list should be. It needs no script, and is always up to date.</p>
      <div className="embed">
        <div>
          <CodeBlock title="HTML" code={code} language="html" />
          <ul className="embed-options">
            <li>
              <code>count</code>: how many events, {min} to {max}.
            </li>
            <li>
              <code>scheme</code>: <code>light</code> or <code>dark</code>. Without it, your
              visitor’s system decides.
            </li>
            <li>All filters of this page work here too.</li>
          </ul>
          <p>
            In WordPress, Discourse and other software with oEmbed, paste the link to the{' '}
            <a href={`/${search}`}>list</a>, or to an event.
          </p>
        </div>
        <iframe
          className="embed-preview"
          src={`/embed${embedSearch}`}
          title={`Preview: ${title}`}
          height={height}
          loading="lazy"
        />
      </div>
    </section>
  );
}
