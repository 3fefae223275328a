import type { ReactNode } from 'react';
import { toErrorPath } from '#lib/accounts/account/request-files.ts';
import type { ListedRequest } from '#lib/accounts/account/request-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { DataTable } from './data-table.tsx';
import { DollarCell, ExactMoment, toDollars, toDurationText } from './words.tsx';

type RequestTableProps = Readonly<{
  requests: readonly ListedRequest[];
  /** Their order, as their query has it. */
  sort: string;
  toKeyName: (keyId: string) => string;
  /** Where the requests of a session are listed. */
  toSessionHref: (session: string) => string;
  /** Whose they are, where they are of several people. */
  toOwner?: (request: ListedRequest) => ReactNode;
}>;

/** Requests as their records have them. */
export function RequestTable(props: RequestTableProps) {
  const { requests, sort, toKeyName, toSessionHref, toOwner } = props;
  return (
    <DataTable
      caption={
        sort === 'cost' ? 'Requests, the most expensive first' : 'Requests, the newest first'
      }
      rows={requests}
      toId={({ id }) => id}
      columns={[
        ['Time', ({ at }) => <ExactMoment timeMs={at} />],
        ['Model', ModelCell],
        ...(toOwner === undefined ? [] : [['Member', toOwner] as const]),
        ['Key', ({ key_id: keyId }) => toKeyName(keyId)],
        ['Status', StatusCell],
        ['Input', ({ tokens_in, is_estimated }) => toTokens(tokens_in, is_estimated)],
        ['Cached', ({ tokens_cached: cached }) => (cached === 0 ? '–' : formatCount(cached))],
        ['Output', ({ tokens_out, is_estimated }) => toTokens(tokens_out, is_estimated)],
        ['Cost', CostCell],
        ['First token', ({ first_byte_ms: ms }) => (ms === null ? '–' : toDurationText(ms))],
        ['Duration', ({ duration_ms: ms }) => toDurationText(ms)],
        ['Session', ({ session }) => session && <a href={toSessionHref(session)}>{session}</a>],
        ['Request id', ({ request_id: id }) => id && <code>{id}</code>],
      ]}
      numbers={['Input', 'Cached', 'Output', 'Cost', 'First token', 'Duration']}
      className="request-table"
    />
  );
}

function ModelCell({ model, endpoint, is_streamed }: ListedRequest) {
  return (
    <div>
      {model || 'No model'}
      <br />
      <span className="quiet">
        {endpoint}
        {is_streamed === 1 && ', streamed'}
      </span>
    </div>
  );
}

/** With what has rejected it, and what to do. */
function StatusCell({ status, error_code: code, reached_limit: limit }: ListedRequest) {
  if (status < 400) return status;
  return (
    <div>
      <span className="request-failed">{status}</span>
      <br />
      {code === null ? (
        <span className="quiet">{status === 499 && 'client disconnected'}</span>
      ) : (
        <a href={toErrorPath(code)}>{code}</a>
      )}
      {limit !== null && (
        <>
          <br />
          <span className="quiet">{limit}</span>
        </>
      )}
    </div>
  );
}

/** An estimate says so. */
function toTokens(tokens: number, isEstimated: number): string {
  return isEstimated === 1 && tokens > 0 ? `≈ ${formatCount(tokens)}` : formatCount(tokens);
}

const sourceNames: Readonly<Record<NonNullable<ListedRequest['cost_source']>, string>> = {
  reported: 'reported',
  price: 'list price',
  estimate: 'estimated',
};

function CostCell({
  cost_nano_usd: cost,
  cost_source: source,
  tokens_in,
  tokens_out,
}: ListedRequest) {
  if (cost === null) return tokens_in + tokens_out === 0 ? '–' : 'unknown';
  return (
    <div>
      <DollarCell text={toDollars(cost / 1e9)} />
      <br />
      <span className="quiet">{source && sourceNames[source]}</span>
    </div>
  );
}
