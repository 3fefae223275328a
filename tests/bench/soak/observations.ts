/** What a client saw of a request. */
export type Outcome = Readonly<{
  area: 'events' | 'proxy';
  path: string;
  /** null: the connection failed, or the response was cut. */
  status: number | null;
  /** The error code in a JSON body, or a word of what happened. */
  detail: string;
}>;

/** A time in which some errors are expected. */
export type FaultWindow = Readonly<{
  name: string;
  /** Whether this outcome is expected while it lasts. */
  expects: (outcome: Outcome) => boolean;
}>;

export type Row = Readonly<{ fault: string; requests: number; errors: number; unexpected: number }>;

export type Observations = Readonly<{
  /** What follows counts for this fault; null: none. */
  begin: (fault: FaultWindow | null) => void;
  add: (outcome: Outcome) => void;
  /** Seconds that the events of a response can be old when its client shows it last. */
  addAge: (seconds: number) => void;
  rows: () => readonly Row[];
  /** And during which fault. */
  oldest: () => Readonly<{ seconds: number; fault: string }>;
  /** Each kind of unexpected error, with how often it came. */
  unexpected: () => readonly string[];
}>;

const calm = 'none';

/** Counts outcomes by the fault that was on, and tells expected errors from others. */
export function createObservations(): Observations {
  const rows = new Map<string, { requests: number; errors: number; unexpected: number }>();
  const unexpected = new Map<string, number>();
  let fault: FaultWindow | null = null;
  let oldest = { seconds: 0, fault: calm };

  return {
    begin(next) {
      fault = next;
    },
    add(outcome) {
      const name = fault?.name ?? calm;
      const row = rows.get(name) ?? { requests: 0, errors: 0, unexpected: 0 };
      rows.set(name, row);
      row.requests += 1;
      if (isSuccess(outcome)) return;
      row.errors += 1;
      if (fault?.expects(outcome)) return;
      row.unexpected += 1;
      const { path, status, detail } = outcome;
      const text = `${name}: ${path} ${status ?? 'no response'} ${detail}`;
      unexpected.set(text, (unexpected.get(text) ?? 0) + 1);
    },
    addAge(seconds) {
      if (seconds > oldest.seconds) oldest = { seconds, fault: fault?.name ?? calm };
    },
    rows: () => [...rows].map(([name, row]) => ({ fault: name, ...row })),
    oldest: () => oldest,
    unexpected: () => [...unexpected].map(([text, count]) => `${count} × ${text}`),
  };
}

function isSuccess({ status, detail }: Outcome): boolean {
  return status !== null && status < 400 && detail === '';
}
