import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { SignedIn } from '#lib/members/sign-in/sessions.ts';
import { getServices } from '#lib/services.ts';

/** The admin who is signed in. The plan of the page has checked that before; no page relies on it. */
export async function requireAdmin(): Promise<SignedIn> {
  const signedIn = (await getServices().members?.findSession(await headers())) ?? null;
  return signedIn?.isAdmin ? signedIn : notFound();
}
