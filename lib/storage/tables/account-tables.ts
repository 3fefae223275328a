/** Of requests that have ended. */
export const sums = {
  requests: 'bigint not null',
  /** Requests with a status of 400 or above. */
  errors: 'bigint not null',
  tokens_in: 'bigint not null',
  tokens_out: 'bigint not null',
  tokens_cached: 'bigint not null',
  tokens_cache_written: 'bigint not null',
  cost_nano_usd: 'bigint not null',
  /** Requests whose cost is known. */
  priced: 'bigint not null',
  /** Time to the first byte, and how many requests have one. */
  first_byte_ms: 'bigint not null',
  first_bytes: 'bigint not null',
  /** Of streams that have a first byte: the time after it, their output tokens, and how many they are. */
  rest_ms: 'bigint not null',
  rest_tokens_out: 'bigint not null',
  rests: 'bigint not null',
} as const;

/** The columns of tables in SQL: keys, usage, members, and who has changed what. */
export const accountTables = {
  marquee_keys: {
    id: 'text primary key',
    /** The member that made it; null for keys of the operator. Each owner's names are unique. */
    owner_id: 'text',
    name: 'text not null',
    hash: 'text not null unique',
    hint: 'text not null',
    /** Which pepper is part of the hash; null once its member has deleted their account. */
    pepper_id: 'text',
    /** A JSON array, or null for every model. */
    models: 'text',
    requests_per_minute: 'integer',
    tokens_per_day: 'bigint',
    /** A JSON object, as all budgets; null for none of its own. */
    budget: 'text',
    created_at: 'bigint not null',
    expires_at: 'bigint',
    revoked_at: 'bigint',
    /** The network that it was used from last, such as 203.0.113.0/24. */
    used_from: 'text',
    /** When it was used last; null: never. */
    used_at: 'bigint',
  },
  /** Requests of a key in one minute and in the one before. */
  marquee_request_counts: {
    key_id: 'text not null primary key',
    /** Its start. */
    minute: 'bigint not null',
    count: 'bigint not null',
    count_before: 'bigint not null',
  },
  marquee_usage: {
    id: 'text primary key',
    key_id: 'text not null',
    at: 'bigint not null',
    day: 'text not null',
    model: 'text not null',
    endpoint: 'text not null',
    is_streamed: 'integer not null',
    status: 'integer not null',
    tokens_in: 'bigint not null',
    tokens_out: 'bigint not null',
    /** Parts of `tokens_in`: read from the upstream's prompt cache, and written to it. */
    tokens_cached: 'bigint not null',
    tokens_cache_written: 'bigint not null',
    is_estimated: 'integer not null',
    /** In billionths of a dollar, which add up exactly. */
    cost_nano_usd: 'bigint',
    cost_source: 'text',
    first_byte_ms: 'integer',
    duration_ms: 'integer not null',
    upstream: 'text',
    /** The coding session that it was part of, hashed; null for others, and after thirty days. */
    session: 'text',
    /** The key's owner; null for keys of the operator. */
    member_id: 'text',
    /** The group that the member was in. */
    group_name: 'text',
    /** 1: it has ended, and the balances contain it. 0: it is under way (see `lease_until`), or it was rejected. */
    is_counted: 'integer not null',
    /** 0: it is under way, or another instance has closed it as it stood, until its own one writes its end. */
    is_final: 'integer not null',
    /** The request is under way, and its instance renews this time; null once it has ended. */
    lease_until: 'bigint',
    /** What it has reserved while it is under way. */
    reserved_tokens: 'bigint not null default 0',
    reserved_nano_usd: 'bigint not null default 0',
    /** `x-request-id`, and the id of the reply; null for requests of before, and where there was none. */
    request_id: 'text',
    reply_id: 'text',
    /** The code of the error that the client got. */
    error_code: 'text',
    /** What the upstream has reported beyond what is possible, which is not charged; null: all of it is. */
    reported_tokens: 'bigint',
    reported_nano_usd: 'bigint',
    /** What has rejected it, such as `tokens per day of the key`; null where no limit has. */
    reached_limit: 'text',
  },
  /** An empty `upstream`: none was called. */
  marquee_usage_by_key: {
    key_id: 'text not null',
    day: 'text not null',
    model: 'text not null',
    upstream: 'text not null',
    ...sums,
  },
  marquee_usage_by_member: {
    member_id: 'text not null',
    day: 'text not null',
    model: 'text not null',
    upstream: 'text not null',
    ...sums,
  },
  marquee_usage_by_hour: {
    /** Its start. */
    hour: 'bigint not null',
    model: 'text not null',
    upstream: 'text not null',
    status: 'integer not null',
    ...sums,
  },
  /** Records that cannot be counted, as JSON; `reason` is an error's code. */
  marquee_usage_set_aside: {
    id: 'text primary key',
    reason: 'text not null',
    record: 'text not null',
  },
  /** One row, which processes lock that erase usage: that of days before this one may have been deleted. */
  marquee_usage_pruned: {
    before_day: 'text not null',
  },
  /** What an account (`key:ID`, `member:ID`, `group:NAME`, `all`) has used on a day, and what it has reserved. */
  marquee_balances: {
    account: 'text not null',
    day: 'text not null',
    tokens: 'bigint not null',
    nano_usd: 'bigint not null',
    reserved_tokens: 'bigint not null default 0',
    reserved_nano_usd: 'bigint not null default 0',
  },
  /** What an account (`key:ID`, `member:ID`) has cost in the 29 days before a day. */
  marquee_recent_costs: {
    account: 'text primary key',
    day: 'text not null',
    nano_usd: 'bigint not null',
  },
  /** Requests of a key that were rejected, counted by minute and code. */
  marquee_rejections: {
    id: 'text primary key',
    key_id: 'text not null',
    /** The minute's start. */
    at: 'bigint not null',
    day: 'text not null',
    status: 'integer not null',
    code: 'text not null',
    count: 'bigint not null',
  },
  /** People who have signed in: one row for each subject of an issuer. */
  marquee_members: {
    id: 'text primary key',
    issuer: 'text not null',
    subject: 'text not null',
    name: 'text not null',
    /** Null unless the provider has verified it. */
    email: 'text',
    /** The claims that the settings' rules name, as a JSON object of arrays. */
    claims: 'text not null',
    created_at: 'bigint not null',
    /** When the provider last confirmed all of it. */
    confirmed_at: 'bigint not null',
    disabled_at: 'bigint',
    /** Null for the default of the settings. */
    budget: 'text',
    group_name: 'text',
    /** 1: alerts about budgets and keys come by mail. */
    alerts: 'integer not null default 0',
  },
  /** Members who have deleted their accounts, without anything personal, so that signing in again resets no budget. */
  marquee_deleted_members: {
    /** A keyed hash of issuer and subject. */
    identity: 'text primary key',
    member_id: 'text not null',
    disabled_at: 'bigint',
    budget: 'text',
    group_name: 'text',
    /** The end of the month. */
    until: 'bigint not null',
  },
  /** Members who share a budget, besides their own. */
  marquee_groups: {
    name: 'text primary key',
    budget: 'text',
    created_at: 'bigint not null',
  },
  marquee_sessions: {
    id: 'text primary key',
    member_id: 'text not null',
    /** Of the token that only the browser has. */
    hash: 'text not null unique',
    /** Browser and system, such as `Firefox on Linux`. */
    device: 'text not null',
    created_at: 'bigint not null',
    used_at: 'bigint not null',
  },
  /** Sign-ins that have ended: each works once. */
  marquee_spent_sign_ins: {
    /** A hash of what the provider brought back. */
    state: 'text primary key',
    until: 'bigint not null',
  },
  /** Who has changed what: a chain of hashes. Rows are only added, and removed by age; ids of deleted members are erased. */
  marquee_audit_log: {
    position: 'bigint primary key',
    id: 'text not null unique',
    at: 'bigint not null',
    day: 'text not null',
    /** The member who did it; null for the operator's commands. */
    actor_id: 'text',
    action: 'text not null',
    /** The id of the key, member, session or webhook, or the name of the group. */
    target: 'text not null',
    /** The member whom it is about. */
    member_id: 'text',
    /** JSON objects of columns, or null. */
    old_values: 'text',
    new_values: 'text',
    /** Of the three ids above: what stays of them once they are erased. */
    digests: 'text not null',
    hash: 'text not null',
  },
  /** One row, locked by every change of the audit log: position and hash of its newest row. */
  marquee_audit_head: {
    position: 'bigint not null',
    hash: 'text not null',
  },
  /** Limits of upstreams that are smaller than the number of workers: a row for each call that they allow. */
  marquee_upstream_slots: {
    /** Its name. */
    upstream: 'text not null',
    /** `running`: calls at once; `minute`: calls in a minute. */
    kind: 'text not null',
    slot: 'bigint not null',
    /** The call that has it. */
    owner: 'text not null',
    /** Until then no other call has it. */
    taken_until: 'bigint not null',
  },
  /** What upstreams have taught about a model, by whose request; it counts for an hour. */
  marquee_owned_facts: {
    upstream: 'text not null',
    model: 'text not null',
    /** A field, or what a reply has cost or used. */
    field: 'text not null',
    /** A hash of the owner of the request. */
    owner: 'text not null',
    /** The values that it takes, as a JSON list; empty: it does not take the field. */
    taken: 'text not null',
    /** The request was plain: what it taught may hold for others. */
    is_plain: 'integer not null',
    /** In our own words. */
    reason: 'text not null',
    learned_at: 'bigint not null',
  },
  /** Of versions before the table above. */
  marquee_upstream_facts: {
    upstream: 'text not null',
    model: 'text not null',
    field: 'text not null',
    /** The values that it takes, as a JSON list; empty: it does not take the field. */
    taken: 'text not null',
    learned_at: 'bigint not null',
  },
} as const;
