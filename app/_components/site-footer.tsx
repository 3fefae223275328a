/** Below every page: the same things for those who do not look at pages. */
export function SiteFooter() {
  return (
    <footer className="site-footer">
      <p>
        Every page is Markdown too: add <code>.md</code> to its address, or start at{' '}
        <a href="/llms.txt">llms.txt</a>.
      </p>
      <p>
        Follow new events by <a href="/api/v1/events/rss">RSS</a>, by{' '}
        <a href="/api/v1/events/feed.json">JSON Feed</a> or in your{' '}
        <a href="/api/v1/events/calendar.ics">calendar</a>; build on them with the{' '}
        <a href="/docs/api">API</a>.
      </p>
    </footer>
  );
}
