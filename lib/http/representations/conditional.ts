/** IMF-fixdate, the only format sent today (RFC 9110 §5.6.7); others are ignored. */
const httpDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Two header fields, as the client sent them. */
type Conditions = Readonly<{
  ifNoneMatch?: string | null | undefined;
  ifModifiedSince?: string | null | undefined;
}>;
type Preconditions = Readonly<{
  ifMatch?: string | null | undefined;
  ifUnmodifiedSince?: string | null | undefined;
}>;
type Validators = Readonly<{ etag: string; lastModifiedMs: number }>;

/**
 * Whether the client's copy is current, so that the response is a 304 (RFC 9110 §13.1.2, §13.1.3).
 * If-None-Match is compared weakly and takes precedence over If-Modified-Since.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  { etag, lastModifiedMs }: Validators,
): boolean {
  if (ifNoneMatch != null) return matchesWeakly(ifNoneMatch, etag);
  if (ifModifiedSince == null || !httpDate.test(ifModifiedSince)) return false;
  const sinceMs = Date.parse(ifModifiedSince);
  return Number.isFinite(sinceMs) && Math.floor(lastModifiedMs / 1000) * 1000 <= sinceMs;
}

/**
 * Whether the client asks for another representation than there is, so that the response is a 412 (RFC 9110 §13.1.1,
 * §13.1.4). If-Match is compared strongly and takes precedence over If-Unmodified-Since.
 */
export function isPreconditionFailed(
  { ifMatch, ifUnmodifiedSince }: Preconditions,
  { etag, lastModifiedMs }: Validators,
): boolean {
  if (ifMatch != null) return ifMatch.trim() !== '*' && !listTags(ifMatch).includes(etag);
  if (ifUnmodifiedSince == null || !httpDate.test(ifUnmodifiedSince)) return false;
  return Math.floor(lastModifiedMs / 1000) * 1000 > Date.parse(ifUnmodifiedSince);
}

function matchesWeakly(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return listTags(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === opaque);
}

/** A tag may hold commas, so the list is read tag by tag. */
function listTags(list: string): readonly string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
