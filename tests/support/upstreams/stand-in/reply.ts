/** JSON of a stand-in. */
export type Fields = Readonly<Record<string, unknown>>;

export type StandInCall = Readonly<{ id: string; name: string; input: object }>;

/** What a stand-in replies, in any protocol. */
export type StandInReply = Readonly<{
  thinking?: string;
  text?: string;
  calls?: readonly StandInCall[];
  /** How a stream ends after its first words; JSON is complete. */
  breaksWith?: 'error' | 'silence';
}>;

/** An event or chunk of a stream. `isText`: it brings a piece of the text. */
export type StandInEvent = Readonly<{ data: Fields; isText?: boolean }>;

export const tokensIn = 100;
export const tokensOut = 12;
export const standInError = { type: 'server_error', code: 'server_error', message: 'It broke.' };

/** Three characters each, so that words and JSON are cut anywhere. */
export function toPieces(text: string): readonly string[] {
  return text.match(/.{1,3}/gsu) ?? [];
}
