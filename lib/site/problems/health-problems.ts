import type { Readiness } from '#lib/telemetry/health.ts';
import type { SiteProblem } from './site-problem.ts';

const healthAdvice: Readonly<Record<string, string>> = {
  database: 'Look at the database server, and at DATABASE_URL.',
  disk: 'Free some space, or give DATA_DIR a larger disk.',
  keys: 'Set KEY_PEPPER to what it was, or restore the pepper from a backup.',
};

/** What `/health/ready` says of a check. */
export function findHealthProblems({ reasons, warnings }: Readiness, check: string): SiteProblem[] {
  return [...reasons, ...warnings]
    .filter((problem) => problem.check === check)
    .map(({ reason }) => ({
      what: reason,
      advice: healthAdvice[check] ?? '',
      href: '/docs/operate/monitoring',
    }));
}
