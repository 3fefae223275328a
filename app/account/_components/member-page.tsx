import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { accountsUnreadable } from '#lib/accounts/routes/problems.ts';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import { getServices } from '#lib/services.ts';
import { loadPageSession } from '#lib/site/pages/page-source.ts';
import { SignInPanel } from './sign-in-panel.tsx';

/** Who visits a page of members; for everybody else, what it shows instead. @param to the page */
export async function loadVisit(
  to: string,
): Promise<Readonly<{ signedIn: SignedIn; panel: null } | { signedIn: null; panel: ReactNode }>> {
  const services = getServices();
  const signedIn = await loadPageSession(services, await headers());
  if (signedIn === 'unreadable') {
    const panel = <SignInPanel problem={accountsUnreadable} providerName={null} />;
    return { signedIn: null, panel };
  }
  if (signedIn !== null) return { signedIn, panel: null };
  const providerName = services.members?.providerName ?? null;
  return { signedIn, panel: <SignInPanel problem={null} providerName={providerName} to={to} /> };
}
