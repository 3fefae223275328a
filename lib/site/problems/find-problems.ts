import type { SecurityLog } from '#lib/accounts/security-log.ts';
import { describeRejection } from '#lib/accounts/sign-in/explain-rejection.ts';
import type { AccountStores } from '#lib/accounts/store/stores.ts';
import type { UpstreamDescription } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import type { Config } from '#lib/config/config.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import type { MigrationState } from '#lib/storage/migrate.ts';
import { isStorageError } from '#lib/storage/storage-error.ts';
import type { Health, Readiness } from '#lib/telemetry/health.ts';
import { findBudgetProblems } from './budget-problems.ts';
import { type DeliveryStores, findDeliveryProblems } from './delivery-problems.ts';
import { findHealthProblems } from './health-problems.ts';
import {
  listFirst,
  type PartState,
  type SiteProblem,
  toMinuteText,
  UnknownState,
} from './site-problem.ts';
import { findTableProblems, type TableParts } from './table-problems.ts';

type Parts = TableParts &
  Readonly<{
    config: Config;
    database: AccountStores & DeliveryStores;
    health: Pick<Health, 'readReadiness'>;
    isOverloaded: boolean;
    upstreams: readonly UpstreamDescription[];
    examineMigrations: () => Promise<MigrationState>;
    /** How many records of usage wait to be stored. */
    usageWaiting: number;
    security: Pick<SecurityLog, 'findLastRejection'> | null;
    now: number;
  }>;

/** What health, metrics, alerts and the admin pages know of this moment, part by part. */
export async function findProblems(parts: Parts): Promise<readonly PartState[]> {
  const readiness = await parts.health.readReadiness(false);
  return Promise.all([
    look('Upstreams', () => findUpstreamProblems(parts)),
    look('Budgets', () =>
      findBudgetProblems(parts.database, {
        totalBudget: parts.config.keys.totalBudget,
        now: parts.now,
      }),
    ),
    look('Usage records', () => findUsageProblems(parts)),
    look('Events table', () => findTableProblems(parts, readiness)),
    look('Deliveries', () => findDeliveryProblems(parts.database)),
    look('Sign-ins', async () => findSignInProblems(parts)),
    look('Database', () => findDatabaseProblems(parts, readiness)),
    look('Keys', async () => findHealthProblems(readiness, 'keys')),
    look('Disk', async () => findHealthProblems(readiness, 'disk')),
    look('This instance', async () => findInstanceProblems(parts, readiness)),
  ]);
}

async function look(name: string, find: () => Promise<readonly SiteProblem[]>): Promise<PartState> {
  try {
    return { name, problems: await find(), unknown: null };
  } catch (error) {
    // Its message is written for operators.
    const isKnown = error instanceof UnknownState || isStorageError(error);
    return { name, problems: [], unknown: isKnown ? error.message : 'It could not be checked.' };
  }
}

async function findUpstreamProblems({ upstreams }: Parts): Promise<SiteProblem[]> {
  const problems: SiteProblem[] = upstreams.flatMap(({ name, breaker, circuits, lastFailure }) => {
    if (breaker === 'closed' && circuits.length === 0) return [];
    const reason =
      lastFailure === null
        ? ''
        : ` Last failure: ${lastFailure.reason}, ${toMinuteText(lastFailure.atMs)}.`;
    const what =
      breaker === 'closed'
        ? `The upstream ${name} fails with ${listFirst(circuits)}.`
        : `The upstream ${name} is paused after several failures.`;
    return {
      what: what + reason,
      advice:
        'Other upstreams take its requests where they have the model. Check its status page, its URL and its key; it is tried again by itself.',
      href: '/admin/upstreams',
    };
  });
  problems.push(...upstreams.flatMap(toCreditProblem));
  const unused = upstreams.filter(({ models }) => models === null).map(({ name }) => name);
  if (problems.length === 0 && unused.length > 0) {
    throw new UnknownState(`This instance has not reached ${listFirst(unused)} yet.`);
  }
  return problems;
}

function toCreditProblem({ name, credit }: UpstreamDescription): SiteProblem[] {
  if (credit === null || credit.left === null || credit.left >= credit.alertBelow) return [];
  return [
    {
      what: `The credit at the upstream ${name} is nearly used up: ${credit.left.toFixed(2)} are left.`,
      advice: 'Without credit it rejects all requests: buy some at its site.',
      href: '/admin/upstreams',
    },
  ];
}

async function findUsageProblems({ usageWaiting, database }: Parts): Promise<SiteProblem[]> {
  const setAside = await database.usage.listSetAside();
  return [
    ...(usageWaiting === 0
      ? []
      : [
          {
            what: `${formatCountOf(usageWaiting, 'record of usage waits', 'records of usage wait')} to be stored.`,
            advice:
              'If this lasts, look at the database. Nothing is lost while this instance runs.',
            href: null,
          },
        ]),
    ...(setAside.length === 0
      ? []
      : [
          {
            what: `Records of usage cannot be counted, and are set aside: ${formatCount(setAside.length)}.`,
            advice: '`npm run doctor -- --books` names them.',
            href: null,
          },
        ]),
  ];
}

const rejectionMs = 86_400_000;

function findSignInProblems({ security, now }: Parts): SiteProblem[] {
  const last = security?.findLastRejection() ?? null;
  if (last === null || last.at < now - rejectionMs) return [];
  return [
    {
      what: `${describeRejection(last.rejection)} (${toMinuteText(last.at)})`,
      advice: 'If they should get in, add a rule to MEMBERS_ALLOWED.',
      href: '/docs/operate/members',
    },
  ];
}

async function findDatabaseProblems(
  { examineMigrations }: Parts,
  readiness: Readiness,
): Promise<SiteProblem[]> {
  const unreachable = findHealthProblems(readiness, 'database');
  if (unreachable.length > 0) return unreachable;
  const missing = await examineMigrations().then(
    (state) => state.missing,
    (error: unknown) => {
      if (isStorageError(error) && error.code === 'OTHER_SCHEMA') return error.message;
      throw error;
    },
  );
  if (typeof missing === 'string') {
    const href = '/docs/operate/upgrades';
    return [{ what: missing, advice: 'Restart this instance with the newer version.', href }];
  }
  if (missing.length === 0) return [];
  return [
    {
      what: `The database lacks migrations: ${missing.join(', ')}.`,
      advice: 'Restart an instance, which applies them.',
      href: '/docs/operate/upgrades',
    },
  ];
}

/** The checks of `/health/ready` that a part above tells about. */
const toldChecks = ['events', 'database', 'keys', 'disk'];

function findInstanceProblems({ isOverloaded }: Parts, readiness: Readiness): SiteProblem[] {
  const { reasons, warnings } = readiness;
  const others = [...reasons, ...warnings].filter(({ check }) => !toldChecks.includes(check));
  return [
    ...others.flatMap(({ check }) => findHealthProblems(readiness, check)),
    ...(isOverloaded
      ? [
          {
            what: 'This instance is overloaded: pages and the AI proxy respond 503.',
            advice:
              'Give it more processors or workers, or add an instance. The log names what takes longest.',
            href: '/docs/operate/several-instances',
          },
        ]
      : []),
  ];
}
