import type { RequestList } from '#lib/accounts/account/request-list.ts';
import { type RequestQuery, toRequestSearch } from '#lib/accounts/account/request-query.ts';

type RequestLinksProps = Readonly<{
  /** Of the list. */
  path: string;
  query: RequestQuery;
  /** Where the page begins, and the next one; null: with the first request, and there is none. */
  place: RequestList['next'];
  next: RequestList['next'];
}>;

/** The pages of a list of requests, and its file. */
export function RequestLinks({ path, query, place, next }: RequestLinksProps) {
  const [first, following] =
    query.sort === 'cost' ? ['Most expensive', 'Cheaper'] : ['Newest', 'Older'];
  return (
    <nav className="buttons" aria-label="Pages">
      {place !== null && (
        <a className="button-quiet" href={path + toRequestSearch(query)}>
          {first}
        </a>
      )}
      {next !== null && (
        <a className="button-quiet" rel="next" href={path + toRequestSearch(query, next)}>
          {following}
        </a>
      )}
      <a className="button-quiet" href={`${path}.csv${toRequestSearch(query)}`} download>
        Download CSV
      </a>
    </nav>
  );
}
