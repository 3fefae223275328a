import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Members } from '#lib/accounts/members.ts';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import type { EventsLoader } from '#lib/events/source/loader.ts';
import type { EventsSnapshot } from '#lib/events/source/snapshot.ts';

/** Who is signed in; null for visitors. */
export type Session = SignedIn | 'unreadable' | null;

/** What a page was planned from. It is rendered from the same, so that its status and content agree. */
export type PageSource = Readonly<{
  /** The events of a page that shows events. */
  snapshot?: EventsSnapshot | null;
  /** The session of a private page. */
  session?: Session;
}>;

type Rendering = Readonly<{ rendering: AsyncLocalStorage<PageSource> }>;

/** The events to show. */
export async function loadPageSnapshot({
  rendering,
  events,
}: Rendering & Readonly<{ events: EventsLoader }>): Promise<EventsSnapshot> {
  return rendering.getStore()?.snapshot ?? events.current();
}

/** Who sees the page. */
export async function loadPageSession(
  { rendering, members }: Rendering & Readonly<{ members: Pick<Members, 'findSession'> | null }>,
  headers: Pick<Headers, 'get'>,
): Promise<Session> {
  const { session } = rendering.getStore() ?? {};
  return session === undefined ? readSession(members, headers) : session;
}

/** Reads the session of a request; it never throws. */
export async function readSession(
  members: Pick<Members, 'findSession'> | null,
  headers: Pick<Headers, 'get'>,
): Promise<Session> {
  if (members === null) return null;
  return members.findSession(headers).catch(() => 'unreadable' as const);
}
