import type { Metadata } from 'next';
import type { LearnedFact } from '#lib/ai-proxy/upstreams/fact-store.ts';
import type { UpstreamDescription } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { Fact } from '../../_components/fact.tsx';
import { Moment } from '../../account/_components/words.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Upstreams');

const states = {
  closed: 'Working',
  open: 'Paused after several failures',
  'half-open': 'Trying again',
} as const;

/** The AI upstreams of this process, and their health. */
export default async function UpstreamsPage() {
  await requireAdmin();
  const { aiProxy, models, database } = getServices();
  // Ensures that the lists have been read.
  await models.current().catch(() => null);
  const upstreams = aiProxy.describeUpstreams();
  const facts = await database.upstreamFacts.list();
  return (
    <AdminPage
      path="/admin/upstreams"
      title="Upstreams"
      lead={
        upstreams.length === 0
          ? 'None: the AI proxy is off.'
          : 'Where models come from, as this instance sees them.'
      }
    >
      <ul className="key-list">
        {upstreams.map(({ name, breaker, circuits, lastFailure, ...upstream }) => (
          <li key={name} className="card">
            <div className="key-facts">
              <h2 className="upstream-name">{name}</h2>
              <p className="upstream-state" data-state={breaker}>
                {states[breaker]}
              </p>
              <dl>
                <Fact term="Last failure">
                  {lastFailure === null ? (
                    'None since the server started'
                  ) : (
                    <>
                      {lastFailure.reason}, <Moment timeMs={lastFailure.atMs} />
                    </>
                  )}
                </Fact>
                {circuits.length > 0 && <Fact term="Paused">{circuits.join(', ')}</Fact>}
                <Fact term="Now">{formatCountOf(upstream.openCalls, 'call')}</Fact>
                <Fact term="Protocols">{upstream.protocols.join(', ')}</Fact>
                <Fact term="Models">
                  {upstream.models === null
                    ? 'List not read yet'
                    : formatCount(upstream.models.length)}
                  {upstream.listedAtMs !== null && (
                    <>
                      , read <Moment timeMs={upstream.listedAtMs} />
                    </>
                  )}
                </Fact>
              </dl>
            </div>
            <Facts name={name} facts={facts.filter((fact) => fact.upstream === name)} />
            <FixedFields name={name} fields={upstream.fields} />
            {upstream.models !== null && upstream.models.length > 0 && (
              <details>
                <summary>
                  Models<span className="visually-hidden"> of {name}</span>
                </summary>
                <ul className="upstream-models mono">
                  {upstream.models.map((id) => (
                    <li key={id}>{id}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </AdminPage>
  );
}

type FactsProps = Readonly<{ name: string; facts: readonly LearnedFact[] }>;

/** What models have rejected within the hour, and what they get instead. */
function Facts({ name, facts }: FactsProps) {
  if (facts.length === 0) return null;
  return (
    <details open>
      <summary>
        Learned<span className="visually-hidden"> of {name}</span>
      </summary>
      <ul className="upstream-models">
        {facts.map(({ model, field, taken, learnedAt }) => (
          <li key={`${model} ${field}`}>
            <span className="mono">
              {model}: {field}
            </span>{' '}
            {describeTaken(taken)}, learned <Moment timeMs={learnedAt} />
          </li>
        ))}
      </ul>
    </details>
  );
}

type FixedFieldsProps = Readonly<{ name: string; fields: UpstreamDescription['fields'] }>;

/** What the file of upstreams says that models take, so that it is not learned. */
function FixedFields({ name, fields }: FixedFieldsProps) {
  const fixed = Object.entries(fields).flatMap(([model, taken]) =>
    Object.entries(taken).map(([field, values]) => ({ model, field, values: values ?? [] })),
  );
  if (fixed.length === 0) return null;
  return (
    <details open>
      <summary>
        Set by the operator<span className="visually-hidden"> for {name}</span>
      </summary>
      <ul className="upstream-models">
        {fixed.map(({ model, field, values }) => (
          <li key={`${model} ${field}`}>
            <span className="mono">
              {model === '*' ? 'All models' : model}: {field}
            </span>{' '}
            {describeTaken(values)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function describeTaken(values: readonly string[]): string {
  return values.length === 0 ? 'is left out' : `may be ${values.join(', ')}`;
}
