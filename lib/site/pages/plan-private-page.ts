/** A page that differs for each member: never cached. */
export type PrivatePlan = Readonly<{ kind: 'private'; url: string; status: 200 | 503 }>;

export type Sessions = Readonly<{
  findSession: (headers: Headers) => Promise<Readonly<{ isAdmin: boolean }> | null>;
}>;

/** Plans an account or admin page; null if it does not exist for this client, or there are no accounts. */
export async function planPrivatePage(
  members: Sessions | null,
  kind: 'account' | 'admin',
  url: string,
  headers: Headers,
): Promise<PrivatePlan | null> {
  if (members === null) return null;
  const [path = ''] = url.split('?');
  // For visitors, and while sessions cannot be read; after signing in it leads back.
  const signInUrl = kind === 'account' ? url : `/account?${new URLSearchParams({ to: path })}`;
  try {
    const signedIn = await members.findSession(headers);
    if (signedIn === null) return { kind: 'private', url: signInUrl, status: 200 };
    const mayOpen = kind === 'account' || signedIn.isAdmin;
    return mayOpen ? { kind: 'private', url, status: 200 } : null;
  } catch {
    // The page says that sessions cannot be read.
    return { kind: 'private', url: signInUrl, status: 503 };
  }
}
