export function SiteFooter() {
  return (
    <footer className="site-footer">
      <p>
        Every page is also available as Markdown: add <code>.md</code> to its URL, or start at{' '}
        <a href="/llms.txt">llms.txt</a>.
      </p>
      <p>
        <a href="/subscribe">Subscribe</a> by calendar or feed, see the{' '}
        <a href="/calendar">month at a glance</a>, or build on the <a href="/docs/api">API</a>: the{' '}
        <a href="/docs">docs</a> show how.
      </p>
    </footer>
  );
}
