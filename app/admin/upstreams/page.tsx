import type { Metadata } from 'next';
import { holdForAll } from '#lib/ai-proxy/pipeline/learned-facts.ts';
import { isTargetQuirk } from '#lib/ai-proxy/quirks/quirk.ts';
import type { LearnedFact } from '#lib/ai-proxy/upstreams/fact-store.ts';
import type { UpstreamDescription } from '#lib/ai-proxy/upstreams/upstream-set.ts';
import { formatCount, formatCountOf } from '#lib/events/words/format-count.ts';
import { getServices } from '#lib/services.ts';
import { shownDays } from '#lib/spend/budgets.ts';
import { ActionButton, PostForm, SignInNotice } from '../../_components/area/post-form.tsx';
import { type QueryPageProps, readQuery } from '../../_components/area/read-query.ts';
import { Moment } from '../../_components/area/words.tsx';
import { Fact } from '../../_components/fact.tsx';
import { AdminPage, requireAdmin, toAdminMetadata } from '../_components/admin-page.tsx';

export const metadata: Metadata = toAdminMetadata('Upstreams');

const dayMs = 86_400_000;
/** How old the shown credit may be. */
const creditMs = 60_000;

const states = {
  closed: 'Working',
  open: 'Paused after several failures',
  'half-open': 'Trying again',
} as const;

/** The AI upstreams of this process, and their health. */
export default async function UpstreamsPage({ searchParams }: QueryPageProps) {
  const { formToken, ageMs } = await requireAdmin();
  const query = await readQuery(searchParams);
  const { aiProxy, models, database } = getServices();
  // Ensures that the lists have been read.
  await Promise.all([models.current().catch(() => null), aiProxy.readCredits(creditMs)]);
  const upstreams = aiProxy.describeUpstreams();
  const from = Date.now() - shownDays * dayMs;
  const [facts, disbelieved] = await Promise.all([
    database.upstreamFacts.list(),
    database.usage.countDisbelieved(from),
  ]);
  return (
    <AdminPage
      path="/admin/upstreams"
      title="Upstreams"
      lead={
        upstreams.length === 0
          ? 'None: the AI proxy is off.'
          : 'Where models come from, as this instance sees them.'
      }
      query={query}
    >
      <SignInNotice ageMs={ageMs} to="/admin/upstreams" purpose="to forget what was learned" />
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
                <CreditFact credit={upstream.credit} />
                <Disbelieved
                  count={disbelieved.find(({ upstream }) => upstream === name)?.count ?? 0}
                />
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
            <Facts
              name={name}
              facts={facts.filter((fact) => fact.upstream === name)}
              formToken={formToken}
            />
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

/** What is left at a service that tells it. */
function CreditFact({ credit }: Pick<UpstreamDescription, 'credit'>) {
  if (credit === null) return null;
  const { left, problem, readAtMs, alertBelow } = credit;
  return (
    <Fact term="Credit">
      {left === null
        ? `Not known: ${problem}`
        : `${formatAmount(left)} left${left < alertBelow ? ', nearly used up' : ''}`}
      , read <Moment timeMs={readAtMs} />
    </Fact>
  );
}

function formatAmount(amount: number): string {
  return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Tokens or costs that were charged at what is possible, or by the smaller of two readings. */
function Disbelieved({ count }: Readonly<{ count: number }>) {
  if (count === 0) return null;
  return (
    <Fact term="Not believed">
      {formatCountOf(count, 'reply', 'replies')} of the last {shownDays} days reported more than is
      possible, or counts that contradict each other
    </Fact>
  );
}

type FactsProps = Readonly<{ name: string; facts: readonly LearnedFact[]; formToken: string }>;

/** What models have taught within the hour, and why: those who have taught it are counted. */
function Facts({ name, facts, formToken }: FactsProps) {
  if (facts.length === 0) return null;
  const places = Map.groupBy(facts, ({ model, field }) => `${model}: ${field}`);
  return (
    <details open>
      <summary>
        Learned<span className="visually-hidden"> of {name}</span>
      </summary>
      <ul className="upstream-models">
        {[...places].map(([place, [newest, ...older]]) =>
          newest === undefined ? null : (
            <li key={place}>
              <span className="mono">{place}</span> {describeFact([newest, ...older])}, learned{' '}
              <Moment timeMs={newest.learnedAt} />
              <PostForm action="/admin/upstreams/change" formToken={formToken}>
                <input type="hidden" name="upstream" value={name} />
                <input type="hidden" name="model" value={newest.model} />
                <input type="hidden" name="field" value={newest.field} />
                <ActionButton value="drop">
                  Forget<span className="visually-hidden"> {place}</span>
                </ActionButton>
              </PostForm>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}

function describeFact(facts: readonly [LearnedFact, ...LearnedFact[]]): string {
  const [{ field, taken, reason }] = facts;
  const what = isTargetQuirk(field) ? describeTaken(taken) : `was ${taken.join(' of ')}`;
  const whom = holdForAll(field, facts) ? 'for all' : 'for those whose requests showed it';
  return `${what}, ${whom}: ${reason}, of ${formatCountOf(facts.length, 'owner')}`;
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
