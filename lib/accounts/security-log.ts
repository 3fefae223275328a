import { shortenAddress, toClientAddress } from '#lib/http/client-address.ts';
import type { Log } from '#lib/http/log.ts';
import type { ProblemCode } from './routes/problems.ts';
import { describeRejection, type SignInRejection } from './sign-in/explain-rejection.ts';
import type { SignedIn } from './sign-in/sessions.ts';

/**
 * What was refused, and from which network, as lines of the log. Equal ones are grouped there: one a minute for each
 * reason and network or member, with their count.
 */
export type SecurityLog = Readonly<{
  /** @param cause what the provider's client threw. */
  signInFailed: (request: Request, problem: ProblemCode | 'too-many', cause?: unknown) => void;
  /** No rule admits somebody. */
  signInRejected: (request: Request, rejection: SignInRejection) => void;
  /** The last one of this process, and when that was, Unix ms. */
  findLastRejection: () => Readonly<{ rejection: SignInRejection; at: number }> | null;
  /** A form that another site has sent. */
  postRejected: (request: Request) => void;
  /** A page or form of the admins', for another member. */
  adminRejected: (signedIn: SignedIn) => void;
}>;

type SecurityLogOptions = Readonly<{ log: Log; trustedHops: number; now: () => number }>;

export function createSecurityLog({ log, trustedHops, now }: SecurityLogOptions): SecurityLog {
  let lastRejection: ReturnType<SecurityLog['findLastRejection']> = null;
  const toNetwork = (request: Request) => shortenAddress(toClientAddress(request, trustedHops));
  return {
    signInFailed(request, problem, cause) {
      // Never the provider's text, which may quote a token.
      const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
      const fields = { reason: `sign_in_${problem}`, code, client: toNetwork(request) };
      log.warn(fields, 'a sign-in failed');
    },
    signInRejected(request, rejection) {
      lastRejection = { rejection, at: now() };
      const fields = { reason: 'sign_in_not-allowed', ...rejection, client: toNetwork(request) };
      log.warn(fields, describeRejection(rejection));
    },
    findLastRejection: () => lastRejection,
    postRejected(request) {
      const fields = { reason: 'cross_site_post', client: toNetwork(request) };
      log.warn(fields, 'a form of another site was refused');
    },
    adminRejected({ member }) {
      log.warn({ reason: 'admin_refused', member: member.id }, 'an admin page was refused');
    },
  };
}
