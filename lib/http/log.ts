/** Structured log lines: fields first, then what happened in our own words. */
export type Log = Readonly<{
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
}>;

/** For commands, which print what matters themselves. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
