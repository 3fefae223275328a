import type { Metadata } from 'next';
import { formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { findProblems } from '#lib/site/problems/find-problems.ts';
import type { PartState, SiteProblem } from '#lib/site/problems/site-problem.ts';
import { examineMigrations } from '#lib/storage/connection.ts';
import { Moment } from '../_components/area/words.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from './_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Status');

/** What is wrong now, and what to do. */
export default async function StatusPage() {
  await requireAdmin();
  const { config, database, health, load, aiProxy, models, events, ...others } = getServices();
  // Ensures that upstreams have been asked.
  await models.current().catch(() => null);
  const now = Date.now();
  const parts = await findProblems({
    config,
    database,
    health,
    isOverloaded: load.isOverloaded,
    upstreams: aiProxy.describeUpstreams(),
    tableStatus: events.status(),
    findCallQuota: others.findCallQuota,
    examineMigrations: () => examineMigrations(config.storage),
    usageWaiting: others.alerts.usageWaiting,
    security: others.members?.security ?? null,
    now,
  });
  const problems = parts.flatMap((part) => part.problems.map((problem) => ({ part, ...problem })));
  return (
    <AdminPage
      path="/admin"
      title="What is wrong now?"
      lead={
        <>
          {describeProblems(problems.length, parts)} Checked by this instance on{' '}
          <Moment timeMs={now} />.
        </>
      }
    >
      {problems.length > 0 && (
        <ul className="site-problems">
          {problems.map((problem) => (
            <li key={problem.what}>
              <ProblemLines {...problem} name={problem.part.name} />
            </li>
          ))}
        </ul>
      )}
      <section className="section" aria-labelledby="checked">
        <h2 id="checked">What was checked</h2>
        <dl className="checked-parts">
          {parts.map((part) => (
            <div key={part.name}>
              <dt>{part.name}</dt>
              <dd>
                <PartResult {...part} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </AdminPage>
  );
}

function ProblemLines({ name, what, advice, href }: SiteProblem & Readonly<{ name: string }>) {
  return (
    <>
      <p>
        <strong>{what}</strong>
      </p>
      <p>
        {advice}
        {href !== null && (
          <>
            {' '}
            <a href={href}>
              More
              <span className="visually-hidden">
                {' '}
                about {name}: {what}
              </span>
            </a>
          </>
        )}
      </p>
    </>
  );
}

/** Nothing is wrong only where everything is known. */
function describeProblems(count: number, parts: readonly PartState[]): string {
  if (count > 0) return `${formatCountOf(count, 'thing needs', 'things need')} attention.`;
  const isKnown = parts.every(({ unknown }) => unknown === null);
  return isKnown
    ? 'Nothing is wrong.'
    : 'Nothing wrong was found, but not everything could be checked.';
}

function PartResult({ problems, unknown }: PartState) {
  if (unknown !== null) return `Could not be checked: ${unknown}`;
  return problems.length === 0 ? (
    'OK'
  ) : (
    <strong>{formatCountOf(problems.length, 'problem')}</strong>
  );
}
