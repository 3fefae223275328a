import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { SignedIn } from '#lib/accounts/sign-in/sessions.ts';
import { getServices } from '#lib/services.ts';

/** The admin who is signed in. Planning the page has checked this too, but pages do not rely on it. */
export async function requireAdmin(): Promise<SignedIn> {
  const signedIn = (await getServices().members?.findSession(await headers())) ?? null;
  return signedIn?.isAdmin ? signedIn : notFound();
}
