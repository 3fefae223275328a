/** Stands where events would. */
export function NoEvents({ isFiltered }: Readonly<{ isFiltered: boolean }>) {
  if (!isFiltered) {
    return (
      <div className="nothing-here">
        <h2>The wall is empty</h2>
        <p>
          No event has been announced yet. The <a href="/api/v1/events/rss">RSS feed</a> will have
          the first one.
        </p>
      </div>
    );
  }
  return (
    <div className="nothing-here">
      <h2>Nothing like that on the wall</h2>
      <p>Try fewer words, or take a filter away.</p>
      <p>
        <a className="button-quiet" href="/">
          Show all events
        </a>
      </p>
    </div>
  );
}
