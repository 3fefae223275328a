import { type NamedRequest, toErrorPath } from '#lib/accounts/lists/request-list.ts';
import { formatCount } from '#lib/events/words/format-count.ts';
import { DataTable } from './data-table.tsx';
import { DollarCell, ExactMoment, toDollars, toDurationText } from './words.tsx';

type RequestTableProps = Readonly<{
  /** The page of their list. */
  path: string;
  requests: readonly NamedRequest[];
  /** Their order, as their query has it. */
  sort: string;
  /** Whether they are of several members. */
  hasMembers?: boolean;
}>;

type Row = NamedRequest['row'];

/** Requests as their records have them. */
export function RequestTable(props: RequestTableProps) {
  const { path, requests, sort, hasMembers = false } = props;
  return (
    <DataTable
      caption={
        sort === 'cost' ? 'Requests, the most expensive first' : 'Requests, the newest first'
      }
      rows={requests}
      toId={({ row }) => row.id}
      columns={[
        ['Time', ({ row }) => <ExactMoment timeMs={row.at} />],
        ['Model', ({ row }) => <ModelCell {...row} />],
        ...(hasMembers ? [['Member', MemberName] as const] : []),
        ['Key', ({ keyName }) => keyName],
        ['Status', ({ row }) => <StatusCell {...row} />],
        ['Input', ({ row }) => toTokens(row.tokens_in, row.is_estimated)],
        ['Cached', ({ row }) => (row.tokens_cached === 0 ? '–' : formatCount(row.tokens_cached))],
        ['Output', ({ row }) => toTokens(row.tokens_out, row.is_estimated)],
        ['Cost', ({ row }) => <CostCell {...row} />],
        [
          'First token',
          ({ row }) => (row.first_byte_ms === null ? '–' : toDurationText(row.first_byte_ms)),
        ],
        ['Duration', ({ row }) => toDurationText(row.duration_ms)],
        [
          'Session',
          ({ row: { session } }) =>
            session && <a href={`${path}?${new URLSearchParams({ session })}`}>{session}</a>,
        ],
        ['Request id', ({ row }) => row.request_id && <code>{row.request_id}</code>],
      ]}
      numbers={['Input', 'Cached', 'Output', 'Cost', 'First token', 'Duration']}
      className="request-table"
    />
  );
}

function MemberName({ row: { member_id: id }, memberName }: NamedRequest) {
  if (id === null) return <span className="quiet">Operator</span>;
  if (memberName === null) return <span className="quiet">Deleted member</span>;
  return <a href={`/admin/members/${id}`}>{memberName}</a>;
}

function ModelCell({ model, endpoint, is_streamed }: Row) {
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
function StatusCell({ status, error_code: code, reached_limit: limit }: Row) {
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

const sourceNames: Readonly<Record<NonNullable<Row['cost_source']>, string>> = {
  reported: 'reported',
  price: 'list price',
  estimate: 'estimated',
};

function CostCell({ cost_nano_usd: cost, cost_source: source, tokens_in, tokens_out }: Row) {
  if (cost === null) return tokens_in + tokens_out === 0 ? '–' : 'unknown';
  return (
    <div>
      <DollarCell text={toDollars(cost / 1e9)} />
      <br />
      <span className="quiet">{source && sourceNames[source]}</span>
    </div>
  );
}
