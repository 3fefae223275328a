/** The parts of an upstream's text that are passed on, once they were checked. */
export type Details = Readonly<{
  /** The field, in backticks. */
  field: string | null;
  min: number | null;
  max: number | null;
  /** How many tokens the prompt has. */
  used: number | null;
  /** How long the reply may be by the request. */
  asked: number | null;
  /** Another field that does the same, in backticks. */
  instead: string | null;
  values: readonly string[];
}>;

/** A mistake of clients, by how vendors report it. */
export type KnownMistake = Readonly<{
  /** The code that clients get. */
  code: string | null;
  /** The field, where it is always the same one. */
  param?: string;
  /** `code` or `type` of the upstream. */
  codes: readonly string[];
  /** Its texts; named groups become details. */
  texts: readonly RegExp[];
  toMessage: (details: Details) => string;
}>;
