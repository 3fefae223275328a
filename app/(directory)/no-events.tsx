/** The empty state of the directory. */
export function NoEvents({ isFiltered }: Readonly<{ isFiltered: boolean }>) {
  if (!isFiltered) {
    return (
      <div className="no-events">
        <h2>No events yet</h2>
        <p>
          Nothing has been announced so far. Subscribe to the{' '}
          <a href="/api/v1/events/rss">RSS feed</a> to hear about the first event.
        </p>
      </div>
    );
  }
  return (
    <div className="no-events">
      <h2>Nothing found</h2>
      <p>Try fewer words or remove a filter.</p>
      <p>
        <a className="button-quiet" href="/">
          Show all events
        </a>
      </p>
    </div>
  );
}
