/** What the audit log has entries of. */
export const auditActions = [
  'key.created',
  'key.renamed',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'key.leaked',
  'key.given-up',
  'member.disabled',
  'member.enabled',
  'member.budget',
  'member.group',
  'member.signed_out',
  'member.deleted',
  'group.created',
  'group.budget',
  'group.removed',
  'webhook.created',
  'webhook.paused',
  'webhook.resumed',
  'webhook.rotated',
  'webhook.disabled',
  'webhook.removed',
  'upstream.fact_dropped',
  'session.started',
  'session.ended',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** No entry, but what stays of the oldest ones: the anchor of the others. */
export const anchorAction = 'log.pruned';
