import type { HeaderFields } from '#lib/http/response.ts';
import type { Ledger } from '#lib/spend/ledger/ledger.ts';
import { countRequest } from '#lib/spend/rate-limits.ts';
import { setKeyName } from '#lib/telemetry/request-log.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyAuthenticator } from './key-authenticator.ts';
import { readAuthorization } from './key-text.ts';

export type KeyRequestOptions = Readonly<{
  authenticator: Pick<KeyAuthenticator, 'authenticate'>;
  ledger: Pick<Ledger, 'begin' | 'count'>;
}>;

export type OpenedKey = Readonly<{ key: ApiKey; headers: HeaderFields }>;

/** A request about the key that is sent, which counts as one of its minute. @throws HttpError */
export async function openKeyRequest(
  request: Request,
  { authenticator, ledger }: KeyRequestOptions,
): Promise<OpenedKey> {
  const { key } = await authenticator.authenticate(readAuthorization(request.headers), request);
  setKeyName(request, key.name);
  return { key, headers: await countRequest(ledger, key) };
}
