import type { Generated, Kysely, Transaction } from 'kysely';
import type { AuditAction, anchorAction } from './audit-actions.ts';

/** Runs a query on a database whose tables are up to date. */
export type RunQuery = <T>(query: (db: Kysely<Schema>) => Promise<T>) => Promise<T>;

/** Runs a change of several rows: all of it or nothing. */
export type RunTransaction = <T>(change: (db: Transaction<Schema>) => Promise<T>) => Promise<T>;

/** Where the amount of a request comes from: the upstream, or a price times reported or estimated tokens. */
export type CostSource = 'reported' | 'price' | 'estimate';

/** The values of each claim that a rule of the settings names. */
export type MemberClaims = Readonly<Record<string, readonly string[]>>;

/** The tables. Times are Unix ms, days are `YYYY-MM-DD` in UTC, booleans are 0 or 1: types that both databases support. */
export type Schema = {
  marquee_migrations: { name: string; applied_at: number };
  marquee_keys: {
    id: string;
    /** The member that made it; null for keys of the operator. Each owner's names are unique. */
    owner_id: string | null;
    name: string;
    hash: string;
    hint: string;
    /** Which pepper is part of the hash; null once its member has deleted their account. */
    pepper_id: string | null;
    /** A JSON array, or null for every model. */
    models: string | null;
    requests_per_minute: number | null;
    tokens_per_day: number | null;
    /** A JSON object, as all budgets; null for none of its own. */
    budget: string | null;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    /** The network that it was used from last, such as 203.0.113.0/24. */
    used_from: string | null;
  };
  marquee_usage: {
    id: string;
    key_id: string;
    at: number;
    day: string;
    model: string;
    endpoint: string;
    is_streamed: number;
    status: number;
    tokens_in: number;
    tokens_out: number;
    /** Parts of `tokens_in`: read from the upstream's prompt cache, and written to it. */
    tokens_cached: number;
    tokens_cache_written: number;
    is_estimated: number;
    first_byte_ms: number | null;
    duration_ms: number;
    upstream: string | null;
    /** The coding session that it was part of, hashed; null for others, and after thirty days. */
    session: string | null;
    /** In billionths of a dollar, which add up exactly. */
    cost_nano_usd: number | null;
    cost_source: CostSource | null;
    /** The key's owner; null for keys of the operator. */
    member_id: string | null;
    /** The group that the member was in. */
    group_name: string | null;
    /** 1: it has ended, and the balances contain it. */
    is_counted: number;
    /** 0: it is under way, or another instance has closed it as it stood, until its own one writes its end. */
    is_final: number;
    /** The request is under way, and its instance renews this time; null once it has ended. */
    lease_until: number | null;
  };
  /** Records that cannot be counted, as JSON; `reason` is an error's code. */
  marquee_usage_set_aside: { id: string; reason: string; record: string };
  /** Requests of a key that were rejected, counted by minute and code. */
  marquee_rejections: {
    id: string;
    key_id: string;
    /** The minute's start. */
    at: number;
    day: string;
    status: number;
    code: string;
    count: number;
  };
  /** People who have signed in: one row for each subject of an issuer. */
  marquee_members: {
    id: string;
    issuer: string;
    subject: string;
    name: string;
    /** Null unless the provider has verified it. */
    email: string | null;
    /** The claims that the settings' rules name, as a JSON object of arrays. */
    claims: string;
    created_at: number;
    /** When the provider last confirmed all of it. */
    confirmed_at: number;
    disabled_at: number | null;
    /** Null for the default of the settings. */
    budget: string | null;
    group_name: string | null;
    /** 1: alerts about budgets and keys come by mail. */
    alerts: Generated<number>;
  };
  /** Members who have deleted their accounts, without anything personal, so that signing in again resets no budget. */
  marquee_deleted_members: {
    /** A keyed hash of issuer and subject. */
    identity: string;
    member_id: string;
    disabled_at: number | null;
    budget: string | null;
    group_name: string | null;
    /** The end of the month. */
    until: number;
  };
  /** Members who share a budget, besides their own. */
  marquee_groups: { name: string; budget: string | null; created_at: number };
  /** What an account (`key:ID`, `member:ID`, `group:NAME`, `all`) has used in a period (`YYYY-MM-DD`, `YYYY-MM`). */
  marquee_balances: { account: string; period: string; tokens: number; nano_usd: number };
  /** One row, locked by every change of balances: usage of days before this one may have been deleted. */
  marquee_usage_pruned: { before_day: string };
  marquee_sessions: {
    id: string;
    member_id: string;
    /** Of the token that only the browser has. */
    hash: string;
    /** Browser and system, such as `Firefox on Linux`. */
    device: string;
    created_at: number;
    used_at: number;
  };
  /** Who has changed what: a chain of hashes. Rows are only added, and removed by age; ids of deleted members are erased. */
  marquee_audit_log: {
    position: number;
    id: string;
    at: number;
    day: string;
    /** The member who did it; null for the operator's commands. */
    actor_id: string | null;
    action: AuditAction | typeof anchorAction;
    /** The id of the key, member, session or webhook, or the name of the group. */
    target: string;
    /** The member whom it is about. */
    member_id: string | null;
    /** JSON objects of columns, or null. */
    old_values: string | null;
    new_values: string | null;
    /** Of the three ids above: what stays of them once they are erased. */
    digests: string;
    hash: string;
  };
  /** One row, locked by every change of the audit log: position and hash of its newest row. */
  marquee_audit_head: { position: number; hash: string };
  /** Events as the last recorded read found them; those that were removed since, for some time. */
  marquee_event_history: {
    event_id: string;
    /** Of all that is compared. */
    digest: string;
    /** Of what a calendar shows of the event. */
    fingerprint: string;
    /** How often the fingerprint has changed. */
    revision: number;
    /** JSON. */
    event: string;
    /** JSON: the last change that visitors should know of. */
    last_change: string | null;
    removed_at: number | null;
  };
  /** Positions have no gaps. */
  marquee_event_changes: {
    position: number;
    at: number;
    type: string;
    /** In the site's time zone. */
    day: string;
    is_status_only: number;
    /** JSON, as the API returns it. */
    change: string;
  };
  /** One row, locked by every recording: the newest change, and the last recorded read. */
  marquee_event_history_head: {
    position: number;
    read_at: number;
    /** The day that statuses were computed for. */
    day: string;
    /** Of which table; empty before the first read. */
    table_name: string;
  };
  /** One row: calls of the table's hook, and which instance's turn it is to read. Unix ms, 0: never. */
  marquee_table_refresh: { called_at: number; served_at: number; claimed_at: number };
  /** How often Airtable was called in a month, `YYYY-MM` in UTC. */
  marquee_airtable_calls: { month: string; calls: number };
  marquee_event_slugs: {
    slug: string;
    /** The event that had it last. */
    event_id: string;
    /** When the event was first read with it. */
    read_at: number;
  };
  /** What the last read of a table found. */
  marquee_event_tables: {
    name: string;
    events: number;
    left_out: number;
    /** JSON: columns that the operator has accepted to be missing. */
    accepted: string;
  } /** What has to be delivered, and what was; see lib/outbox. */;
  marquee_deliveries: {
    /** Stays the same for all attempts. */
    id: string;
    kind: string;
    /** Who gets it, one delivery at a time. */
    target: string;
    payload: string;
    /** New deliveries to a target start in this order. */
    position: number;
    created_at: number;
    /** When the next attempt may start, 0 for at once; null: there will be none. */
    due_at: number | null;
    /** Those that have ended. */
    attempts: number;
    /** Of the last attempt: when it started, how long it took, and its result in a few words. */
    attempted_at: number | null;
    duration_ms: number | null;
    result: string | null;
    outcome: 'delivered' | 'given-up' | null;
    /** The attempt under way: who makes it, and until when nobody else does. */
    lease_owner: string | null;
    lease_until: number | null;
  };
  /** One row, locked by every claim of deliveries. */
  marquee_outbox: { claimed_at: number };
  /** Confirmations of subscriptions by mail, one for each mailbox. */
  marquee_mail_confirmations: {
    /** A keyed hash. */
    mailbox: string;
    id: string;
    /** What was asked for, as JSON; null once the link has expired. */
    settings: string | null;
    /** How many were sent since one was last confirmed. */
    count: number;
    sent_at: number;
    confirmed_at: number | null;
  };
  /** Who gets a digest. */
  marquee_mail_subscriptions: {
    id: string;
    address: string;
    /** A query with its `?`, or empty. */
    filters: string;
    /** 0 for Sunday to 6 for Saturday. */
    weekday: number;
    hour: number;
    time_zone: string;
    /** Events announced later are new to them. */
    since: number;
    /** When the next digest is due. */
    digest_at: number;
    /** How often in a row the address was refused. */
    rejections: number;
  };
  /** What somebody was told of an event. */
  marquee_mail_mentions: {
    subscription_id: string;
    event_id: string;
    /** Of the digests that mentioned it, as a JSON array. */
    reasons: string;
    /** When and where it was said to be, as JSON. */
    told: string;
    /** How many mails said that it was moved. */
    moves: number;
    mentioned_at: number;
  };
  /** What members and admins were told of, each cause once in its period. */
  marquee_alerts: { cause: string; period: string; at: number };
  /** Who is sent changes and alerts. */
  marquee_webhooks: {
    id: string;
    name: string;
    url: string;
    /** A JSON array of types and of prefixes with `*`. */
    types: string;
    /** A query of the events list, without its `?`; empty for all events. */
    filter: string;
    /** What the secret is derived from, with the pepper. */
    secret_salt: string;
    pepper_id: string;
    /** The secret before, which also signs until then. */
    previous_salt: string | null;
    previous_pepper_id: string | null;
    previous_until: number | null;
    created_at: number;
    state: 'active' | 'paused' | 'disabled';
    /** The first and the last failed attempt since the last that succeeded. */
    failing_since: number | null;
    failed_at: number | null;
  };
};
