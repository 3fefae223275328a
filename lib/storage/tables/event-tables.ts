/** The columns of tables in SQL: events, what has to be delivered, mails and webhooks. */
export const eventTables = {
  /** Events as the last recorded read found them; those that were removed since, for some time. */
  marquee_event_history: {
    event_id: 'text primary key',
    /** Of all that is compared. */
    digest: 'text not null',
    /** Of what a calendar shows of the event. */
    fingerprint: 'text not null',
    /** How often the fingerprint has changed. */
    revision: 'integer not null',
    /** JSON. */
    event: 'text not null',
    /** JSON: the last change that visitors should know of. */
    last_change: 'text',
    removed_at: 'bigint',
  },
  /** Positions have no gaps. */
  marquee_event_changes: {
    position: 'bigint primary key',
    at: 'bigint not null',
    /** In the site's time zone. */
    day: 'text not null',
    type: 'text not null',
    is_status_only: 'integer not null',
    /** JSON, as the API returns it. */
    change: 'text not null',
  },
  /** One row, locked by every recording: the newest change, and the last recorded read. */
  marquee_event_history_head: {
    position: 'bigint not null',
    read_at: 'bigint not null',
    /** The day that statuses were computed for, for earlier versions. */
    day: 'text not null',
    /** Of which table; empty before the first read. */
    table_name: 'text not null',
    /** How its rows became events; empty before the first read that says it. */
    reading: "text not null default ''",
    /** The last moment at which a status or the day has changed. */
    transition_at: 'bigint not null default 0',
  },
  /** The last read of each table, by the name of what is read and how; see lib/events/source/stored-read. Unix ms, 0: never. */
  marquee_table_reads: {
    name: 'text primary key',
    /** The last call of the table's hook, and the one that the read came after. */
    called_at: 'bigint not null',
    served_call_at: 'bigint not null',
    /** How often a process took its turn to read, and until when the last turn is its own. */
    claims: 'bigint not null',
    claimed_until: 'bigint not null',
    /** Before that no read is due. */
    paused_until: 'bigint not null',
    /** Before that Airtable responds to nobody. */
    blocked_until: 'bigint not null',
    /** The claim of the read, and when it began by the database's clock and by the reader's. */
    number: 'bigint not null',
    read_at: 'bigint not null',
    reader_read_at: 'bigint not null',
    /** The hashes of its parts, with spaces between them. */
    parts: 'text not null',
  },
  /** Parts of reads, compressed, by the hash of their text. */
  marquee_table_parts: {
    name: 'text not null',
    hash: 'text not null',
    content: 'bytea not null',
  },
  /** How often Airtable was called in a month, `YYYY-MM` in UTC. */
  marquee_airtable_calls: {
    month: 'text primary key',
    calls: 'bigint not null',
  },
  marquee_event_slugs: {
    slug: 'text primary key',
    /** The event that has it, or had it last. */
    event_id: 'text not null',
    /** When the event got it. */
    read_at: 'bigint not null',
    /** The name that it got it for; null from version 1.0. */
    name: 'text',
  },
  /** Announcements that were in the future when they were first read: they count as made then. */
  marquee_event_announcements: {
    event_id: 'text primary key',
    announced_at: 'text not null',
    read_at: 'bigint not null',
  },
  /** What the last read of a table found. */
  marquee_event_tables: {
    name: 'text primary key',
    events: 'integer not null',
    left_out: 'integer not null',
    /** JSON: columns that the operator has accepted to be missing. */
    accepted: 'text not null',
  },
  /** What has to be delivered, and what was; see lib/outbox. */
  marquee_deliveries: {
    /** Stays the same for all attempts. */
    id: 'text primary key',
    kind: 'text not null',
    /** Who gets it, one delivery at a time. */
    target: 'text not null',
    payload: 'text not null',
    /** New deliveries to a target start in this order. */
    position: 'bigint not null',
    created_at: 'bigint not null',
    /** When the next attempt may start, 0 for at once, also where that time has come; null: there will be none. */
    due_at: 'bigint',
    /** Those that have ended. */
    attempts: 'integer not null',
    /** Of the last attempt: when it started, how long it took, and its result in a few words. */
    attempted_at: 'bigint',
    duration_ms: 'integer',
    result: 'text',
    outcome: 'text',
    /** The attempt under way: who makes it, and until when nobody else does. */
    lease_owner: 'text',
    lease_until: 'bigint',
  },
  /** One row, locked by every claim of deliveries. */
  marquee_outbox: {
    claimed_at: 'bigint not null',
  },
  /** Confirmations of subscriptions by mail, one for each mailbox. */
  marquee_mail_confirmations: {
    /** A keyed hash. */
    mailbox: 'text primary key',
    id: 'text not null unique',
    /** What was asked for, as JSON; null once the link has expired. */
    settings: 'text',
    /** How many were sent since one was last confirmed. */
    count: 'integer not null',
    sent_at: 'bigint not null',
    confirmed_at: 'bigint',
  },
  /** Who gets a digest or reminders. */
  marquee_mail_subscriptions: {
    id: 'text primary key',
    address: 'text not null unique',
    /** A query with its `?`, or empty. */
    filters: 'text not null',
    /** 0 for Sunday to 6 for Saturday. */
    weekday: 'integer not null',
    hour: 'integer not null',
    time_zone: 'text not null',
    /** Events announced later are new to them. */
    since: 'bigint not null',
    /** When the next digest is due; the last moment there is for none. */
    digest_at: 'bigint not null',
    /** How often in a row the address was refused. */
    rejections: 'integer not null',
  },
  /** What somebody was told of an event, or wants to be reminded of. */
  marquee_mail_mentions: {
    subscription_id: 'text not null',
    event_id: 'text not null',
    /** Of the digests that mentioned it, as a JSON array. */
    reasons: 'text not null',
    /** When and where it was said to be, as JSON. */
    told: 'text not null',
    /** How many mails said that it was moved. */
    moves: 'integer not null',
    mentioned_at: 'bigint not null',
    /** Of an event that they want to be reminded of: up to which moment they were. */
    reminded_at: 'bigint',
  },
  /** What members and admins were told of, each cause once in its period. */
  marquee_alerts: {
    cause: 'text not null',
    period: 'text not null',
    at: 'bigint not null',
  },
  /** Who is sent changes and alerts. */
  marquee_webhooks: {
    id: 'text primary key',
    name: 'text not null',
    url: 'text not null',
    /** A JSON array of types and of prefixes with `*`. */
    types: 'text not null',
    /** A query of the events list, without its `?`; empty for all events. */
    filter: 'text not null',
    /** What the secret is derived from, with the pepper. */
    secret_salt: 'text not null',
    pepper_id: 'text not null',
    /** The secret before, which also signs until then. */
    previous_salt: 'text',
    previous_pepper_id: 'text',
    previous_until: 'bigint',
    created_at: 'bigint not null',
    state: 'text not null',
    /** The first and the last failed attempt since the last that succeeded. */
    failing_since: 'bigint',
    failed_at: 'bigint',
  },
} as const;
