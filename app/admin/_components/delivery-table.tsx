import type { DeliveryView } from '#lib/accounts/admin/delivery-list.ts';
import { DataTable } from '../../_components/area/data-table.tsx';
import { ActionButton, PostForm } from '../../_components/area/post-form.tsx';
import { Moment, toDurationText } from '../../_components/area/words.tsx';

type DeliveryTableProps = Readonly<{
  deliveries: readonly DeliveryView[];
  formToken: string;
  /** The page that it is on, with its filters. */
  page: string;
  /** Whether they are of several targets. */
  hasTargets?: boolean;
}>;

/** Deliveries with their last attempts. Those of webhooks can be sent again. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, formToken, page, hasTargets = false } = props;
  return (
    <DataTable
      caption="Deliveries"
      rows={deliveries}
      toId={({ id }) => id}
      columns={[
        [
          'Delivery',
          ({ id, type }) => (
            <>
              {type}
              <span className="quiet mono member-address">{id}</span>
            </>
          ),
        ],
        ...(hasTargets ? [['To', Target] as const] : []),
        ['Status', ({ status }) => status],
        ['Attempts', ({ attempts }) => attempts],
        ['Duration', ({ durationMs }) => (durationMs === null ? '–' : toDurationText(durationMs))],
        ['Since', ({ createdAt }) => <Moment timeMs={createdAt} />],
      ]}
      numbers={['Attempts', 'Duration']}
      action={{
        heading: 'Send again',
        toButton: ({ id, kind, target, isFinished }) =>
          isFinished &&
          kind === 'webhook' && (
            <PostForm action={`/admin/webhooks/${target}/change`} formToken={formToken}>
              <input type="hidden" name="delivery" value={id} />
              <input type="hidden" name="back" value={page} />
              <ActionButton value="again">
                Send again<span className="visually-hidden"> {id}</span>
              </ActionButton>
            </PostForm>
          ),
      }}
      className="admin-table"
    />
  );
}

function Target({ kind, target, targetName }: DeliveryView) {
  if (kind !== 'webhook') return <span className="delivery-target">{target}</span>;
  return (
    <a className="delivery-target" href={`/admin/webhooks/${target}`}>
      {targetName ?? target}
    </a>
  );
}
