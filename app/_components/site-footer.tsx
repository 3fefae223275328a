export function SiteFooter() {
  return (
    <footer className="site-footer">
      <p>
        Every page is also available as Markdown: add <code>.md</code> to its URL, or start at{' '}
        <a href="/llms.txt">llms.txt</a>.
      </p>
      <p>
        Follow new events via <a href="/api/v1/events/rss">RSS</a>,{' '}
        <a href="/api/v1/events/feed.json">JSON Feed</a> or your{' '}
        <a href="/api/v1/events/calendar.ics">calendar</a>, or build on the{' '}
        <a href="/docs/api">API</a>.
      </p>
    </footer>
  );
}
