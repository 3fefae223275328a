import { Icon } from './icon.tsx';

/** A way on from a page that does not exist: a search, and all events. */
export function FindEvents() {
  return (
    <search className="find-events">
      <form className="search-field" action="/">
        <input
          type="search"
          name="q"
          aria-label="Search events"
          placeholder="Search events"
          maxLength={200}
          autoComplete="off"
          dir="auto"
        />
        <button className="icon-button" type="submit" aria-label="Search">
          <Icon name="search" />
        </button>
      </form>
      <a className="button" href="/">
        See all events
      </a>
    </search>
  );
}
