import { createMigration } from './create-migration.ts';

/** The tables of version 1.0, frozen: a change of them is a migration of its own. */
export const migration001 = createMigration([
  `create table marquee_keys (
    id text primary key,
    owner_id text,
    name text not null,
    hash text not null unique,
    hint text not null,
    pepper_id text,
    models text,
    requests_per_minute integer,
    tokens_per_day bigint,
    budget text,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    used_from text
  )`,
  `create unique index marquee_keys_owner_name on marquee_keys (coalesce(owner_id, ''), name)
    where owner_id is null or revoked_at is null`,
  `create table marquee_usage (
    id text primary key,
    key_id text not null,
    at bigint not null,
    day text not null,
    model text not null,
    endpoint text not null,
    is_streamed integer not null,
    status integer not null,
    tokens_in bigint not null,
    tokens_out bigint not null,
    tokens_cached bigint not null,
    tokens_cache_written bigint not null,
    is_estimated integer not null,
    cost_nano_usd bigint,
    cost_source text,
    first_byte_ms integer,
    duration_ms integer not null,
    upstream text,
    session text,
    member_id text,
    group_name text,
    is_counted integer not null,
    is_final integer not null,
    lease_until bigint
  )`,
  'create index marquee_usage_key_id_day on marquee_usage (key_id, day)',
  'create index marquee_usage_day on marquee_usage (day)',
  'create index marquee_usage_session on marquee_usage (day) where session is not null',
  'create index marquee_usage_lease_until on marquee_usage (lease_until) where lease_until is not null',
  'create index marquee_usage_uncounted on marquee_usage (id) where is_counted = 0',
  `create table marquee_usage_set_aside (
    id text primary key,
    reason text not null,
    record text not null
  )`,
  `create table marquee_usage_pruned (
    before_day text not null
  )`,
  `insert into marquee_usage_pruned values ('')`,
  `create table marquee_balances (
    account text not null,
    period text not null,
    tokens bigint not null,
    nano_usd bigint not null,
    primary key (account, period)
  )`,
  `create table marquee_rejections (
    id text primary key,
    key_id text not null,
    at bigint not null,
    day text not null,
    status integer not null,
    code text not null,
    count bigint not null
  )`,
  'create index marquee_rejections_day on marquee_rejections (day)',
  `create table marquee_members (
    id text primary key,
    issuer text not null,
    subject text not null,
    name text not null,
    email text,
    claims text not null,
    created_at bigint not null,
    confirmed_at bigint not null,
    disabled_at bigint,
    budget text,
    group_name text,
    alerts integer not null default 0,
    unique (issuer, subject)
  )`,
  `create table marquee_deleted_members (
    identity text primary key,
    member_id text not null,
    disabled_at bigint,
    budget text,
    group_name text,
    until bigint not null
  )`,
  `create table marquee_groups (
    name text primary key,
    budget text,
    created_at bigint not null
  )`,
  `create table marquee_sessions (
    id text primary key,
    member_id text not null,
    hash text not null unique,
    device text not null,
    created_at bigint not null,
    used_at bigint not null
  )`,
  'create index marquee_sessions_member_id on marquee_sessions (member_id)',
  `create table marquee_audit_log (
    position bigint primary key,
    id text not null unique,
    at bigint not null,
    day text not null,
    actor_id text,
    action text not null,
    target text not null,
    member_id text,
    old_values text,
    new_values text,
    digests text not null,
    hash text not null
  )`,
  `create table marquee_audit_head (
    position bigint not null,
    hash text not null
  )`,
  `insert into marquee_audit_head values (0, '')`,
  'create index marquee_audit_log_day on marquee_audit_log (day)',
  `create table marquee_event_history (
    event_id text primary key,
    digest text not null,
    fingerprint text not null,
    revision integer not null,
    event text not null,
    last_change text,
    removed_at bigint
  )`,
  `create table marquee_event_changes (
    position bigint primary key,
    at bigint not null,
    day text not null,
    type text not null,
    is_status_only integer not null,
    change text not null
  )`,
  'create index marquee_event_changes_at on marquee_event_changes (at)',
  `create table marquee_event_history_head (
    position bigint not null,
    read_at bigint not null,
    day text not null,
    table_name text not null
  )`,
  `insert into marquee_event_history_head values (0, 0, '', '')`,
  `create table marquee_table_refresh (
    called_at bigint not null,
    served_at bigint not null,
    claimed_at bigint not null
  )`,
  'insert into marquee_table_refresh values (0, 0, 0)',
  `create table marquee_airtable_calls (
    month text primary key,
    calls bigint not null
  )`,
  `create table marquee_event_slugs (
    slug text primary key,
    event_id text not null,
    read_at bigint not null
  )`,
  `create table marquee_event_tables (
    name text primary key,
    events integer not null,
    left_out integer not null,
    accepted text not null
  )`,
  'create index marquee_event_slugs_read_at on marquee_event_slugs (read_at)',
  `create table marquee_deliveries (
    id text primary key,
    kind text not null,
    target text not null,
    payload text not null,
    position bigint not null,
    created_at bigint not null,
    due_at bigint,
    attempts integer not null,
    attempted_at bigint,
    duration_ms integer,
    result text,
    outcome text,
    lease_owner text,
    lease_until bigint
  )`,
  'create index marquee_deliveries_position on marquee_deliveries (position)',
  'create index marquee_deliveries_due_at on marquee_deliveries (due_at) where due_at is not null',
  `create index marquee_deliveries_waiting on marquee_deliveries (kind, target, due_at, position)
    where due_at is not null`,
  `create index marquee_deliveries_leased on marquee_deliveries (kind, target)
    where lease_until is not null`,
  'create index marquee_deliveries_target on marquee_deliveries (target, position)',
  `create index marquee_deliveries_finished on marquee_deliveries (target, position)
    where due_at is null`,
  `create table marquee_outbox (
    claimed_at bigint not null
  )`,
  'insert into marquee_outbox values (0)',
  `create table marquee_mail_confirmations (
    mailbox text primary key,
    id text not null unique,
    settings text,
    count integer not null,
    sent_at bigint not null,
    confirmed_at bigint
  )`,
  `create table marquee_mail_subscriptions (
    id text primary key,
    address text not null unique,
    filters text not null,
    weekday integer not null,
    hour integer not null,
    time_zone text not null,
    since bigint not null,
    digest_at bigint not null,
    rejections integer not null
  )`,
  'create index marquee_mail_subscriptions_digest_at on marquee_mail_subscriptions (digest_at)',
  `create table marquee_mail_mentions (
    subscription_id text not null,
    event_id text not null,
    reasons text not null,
    told text not null,
    moves integer not null,
    mentioned_at bigint not null,
    primary key (subscription_id, event_id)
  )`,
  'create index marquee_mail_mentions_event_id on marquee_mail_mentions (event_id)',
  `create table marquee_alerts (
    cause text not null,
    period text not null,
    at bigint not null,
    primary key (cause, period)
  )`,
  `create table marquee_webhooks (
    id text primary key,
    name text not null,
    url text not null,
    types text not null,
    filter text not null,
    secret_salt text not null,
    pepper_id text not null,
    previous_salt text,
    previous_pepper_id text,
    previous_until bigint,
    created_at bigint not null,
    state text not null,
    failing_since bigint,
    failed_at bigint
  )`,
]);
