import type { AuditLine, Person } from '#lib/accounts/admin/log-list.ts';
import { Moment } from '../../_components/area/words.tsx';

const verbs: Readonly<Record<AuditLine['action'], string>> = {
  'key.created': 'created the key',
  'key.renamed': 'renamed the key',
  'key.changed': 'changed the key',
  'key.rotated': 'rotated the key',
  'key.revoked': 'revoked the key',
  'key.leaked': 'revoked the key',
  'key.given-up': 'revoked the key',
  'member.disabled': 'disabled',
  'member.enabled': 'enabled',
  'member.budget': 'set the budget of',
  'member.group': 'set the group of',
  'member.signed_out': 'ended all sessions of',
  'member.deleted': 'deleted',
  'group.created': 'created the group',
  'group.budget': 'set the budget of the group',
  'group.removed': 'removed the group',
  'webhook.created': 'created the webhook',
  'webhook.paused': 'paused the webhook',
  'webhook.resumed': 'resumed the webhook',
  'webhook.rotated': 'rotated the secret of the webhook',
  'webhook.disabled': 'disabled the webhook',
  'webhook.removed': 'removed the webhook',
  'upstream.fact_dropped': 'forgot what was learned about',
  'session.started': 'signed in',
  'session.ended': 'signed out',
};

/** Why, if the verb does not say so. */
const reasons: Readonly<Partial<Record<AuditLine['action'], string>>> = {
  'key.leaked': ', which was found in a public place',
  'key.given-up': ', with the key itself',
  'webhook.disabled': ', because nothing could be delivered',
};

/** Changes in words, the newest first. */
export function AuditLines({ lines }: Readonly<{ lines: readonly AuditLine[] }>) {
  if (lines.length === 0) return <p className="lead">Nothing yet.</p>;
  return (
    <ol className="lines audit-lines">
      {lines.map((line) => (
        <li key={line.id}>
          <p>
            <PersonName person={line.by} fallback="The operator" /> {verbs[line.action]}{' '}
            <AuditTarget {...line} />
            {reasons[line.action]}
          </p>
          {line.changes.map(({ column, from, to }) => (
            <p key={column} className="audit-change">
              <span className="quiet">{column}</span> {from !== null && <del>{from}</del>}{' '}
              <ins>{to ?? 'default'}</ins>
            </p>
          ))}
          <p className="quiet audit-time">
            <Moment timeMs={line.at} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function AuditTarget({ action, by, about, target, targetName }: AuditLine) {
  if (action.startsWith('session.')) return null;
  if (action.startsWith('member.')) {
    return about === null && by !== null ? 'themselves' : <PersonName person={about} />;
  }
  return (
    <>
      <strong>{targetName ?? target}</strong>
      {about !== null && (
        <>
          {' '}
          of <PersonName person={about} />
        </>
      )}
    </>
  );
}

type PersonNameProps = Readonly<{ person: Person | null; fallback?: string }>;

function PersonName({ person, fallback = '' }: PersonNameProps) {
  if (person === null) return <strong>{fallback}</strong>;
  if (person.name === null) {
    return (
      <span>
        a deleted member <code>{person.id}</code>
      </span>
    );
  }
  return (
    <a href={`/admin/members/${person.id}`}>
      <strong>{person.name}</strong>
    </a>
  );
}
