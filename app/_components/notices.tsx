import type { ReactNode } from 'react';
import type { EventsQuery } from '#lib/events/query/events-query.ts';
import type { NameSuggestion } from '#lib/events/search/nearest-names.ts';

type RetryNoticeProps = Readonly<{ children: ReactNode; onRetry: () => void }>;

/** Says that the newest data could not be loaded, with a button that tries again. */
export function RetryNotice({ children, onRetry }: RetryNoticeProps) {
  return (
    <p className="notice notice-wrong" role="alert">
      {children}{' '}
      <button type="button" className="button-quiet" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

type OutcomeProps = Readonly<{ problem: string | null; done: string | null }>;

/** What came of a form that was sent. */
export function Outcome({ problem, done }: OutcomeProps) {
  return (
    <>
      {problem !== null && (
        <p className="notice notice-wrong" role="alert">
          {problem}
        </p>
      )}
      {done !== null && (
        <p className="notice" role="status">
          {done}
        </p>
      )}
    </>
  );
}

type NameNoticeProps = Readonly<{
  suggestions: readonly NameSuggestion[];
  /** The URL of the same page with other filters. */
  toHref: (filters: EventsQuery) => string;
}>;

/** Offers the nearest to a name that no event has. */
export function NameNotice({ suggestions, toHref }: NameNoticeProps) {
  if (suggestions.length === 0) return null;
  return (
    <div className="notice">
      {suggestions.map(({ unknown, nearest, filters }) => (
        <p key={`${unknown} ${nearest}`}>
          No event has “<bdi>{unknown}</bdi>”. Did you mean{' '}
          <a href={toHref(filters)}>
            <bdi>{nearest}</bdi>
          </a>
          ?
        </p>
      ))}
    </div>
  );
}

type MessageHeaderProps = Readonly<{
  /** In large letters, such as `404`. */
  code: string;
  title: string;
  children: ReactNode;
  /** What to do. */
  action: ReactNode;
}>;

/** Takes the place of a page that cannot be shown. */
export function MessageHeader({ code, title, children, action }: MessageHeaderProps) {
  return (
    <header className="page-header">
      <p className="page-code">{code}</p>
      <h1>{title}</h1>
      <p className="lead">{children}</p>
      <div>{action}</div>
    </header>
  );
}
