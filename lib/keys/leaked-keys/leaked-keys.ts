import { createHash } from 'node:crypto';
import { toClientAddress } from '#lib/http/client-address.ts';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import type { Log } from '#lib/http/log.ts';
import { readBody } from '#lib/http/read-body.ts';
import { createResponse } from '#lib/http/response.ts';
import { createInvalidKeyThrottle } from '../invalid-key-throttle.ts';
import {
  createKeyHasher,
  isKeyText,
  readAuthorization,
  readKeyText,
  toUnauthorized,
} from '../key-text.ts';
import { loadPepper } from '../pepper.ts';
import type { RevokeAction } from '../store/key-changes.ts';
import type { KeyStore } from '../store/key-store.ts';
import { createSignedReportReader, type ReportedSecret } from './signed-report.ts';

/** Keys that are revoked since they are not secret any more. */
export type LeakedKeys = Readonly<{
  /** Revokes the keys of a signed report of GitHub's secret scanning. @throws HttpError 404 without the setting. */
  respondToReport: (request: Request) => Promise<Response>;
  /** Revokes the key that is sent; the same again for one that is revoked. @throws HttpError 401 for another text. */
  revokeItself: (request: Request) => Promise<Response>;
}>;

type LeakedKeysOptions = Readonly<{
  keys: Pick<KeyStore, 'findByHash' | 'revoke'>;
  settings: Readonly<{
    keys: Readonly<{
      pepper: string | null;
      previousPepper: string | null;
      leakedKeysUrl: string | null;
    }>;
    storage: Readonly<{ dataDir: string }>;
    trustProxy: number;
  }>;
  /** A monotonic clock, in ms. */
  uptime?: () => number;
  log: Log;
}>;

const reportBytesMax = 1024 * 1024;

export function createLeakedKeys({
  keys,
  settings,
  uptime = () => performance.now(),
  log,
}: LeakedKeysOptions): LeakedKeys {
  const { pepper, previousPepper, leakedKeysUrl } = settings.keys;
  const slowDown = createInvalidKeyThrottle({ uptime });
  const readReport =
    leakedKeysUrl === null ? null : createSignedReportReader({ publicKeysUrl: leakedKeysUrl });

  /** False if there is no such key. */
  async function revoke(text: string, action: RevokeAction): Promise<boolean> {
    const current = loadPepper({ keyPepper: pepper, dataDir: settings.storage.dataDir });
    const peppers = previousPepper === null ? [current] : [current, previousPepper];
    const [key] = await keys.findByHash(peppers.map((pepper) => createKeyHasher(pepper)(text)));
    if (key === undefined) return false;
    if (await keys.revoke(key.id, null, action)) {
      log.warn({ reason: action, key: key.id }, 'a key that is not secret any more is revoked');
    }
    return true;
  }

  /** What GitHub reads to find fewer texts that are no keys. */
  async function judge({ token, type }: ReportedSecret) {
    const isOurs = isKeyText(token) && (await revoke(token, 'key.leaked'));
    return {
      token_hash: createHash('sha256').update(token).digest('base64'),
      token_type: type,
      label: isOurs ? 'true_positive' : 'false_positive',
    };
  }

  return {
    async respondToReport(request) {
      if (readReport === null) throw toMissing();
      const body = await readBody(request, reportBytesMax);
      const judged = [];
      for (const secret of await readReport(request.headers, body))
        judged.push(await judge(secret));
      return toJson(judged);
    },
    async revokeItself(request) {
      const text = readKeyText(readAuthorization(request.headers));
      if (await revoke(text, 'key.given-up')) return toJson({ revoked: true });
      await slowDown(toClientAddress(request, settings.trustProxy));
      throw toUnauthorized('There is no such API key, so none was revoked.', 'unknown');
    },
  };
}

function toMissing(): HttpError {
  return createApiError('not_found', { message: 'This site accepts no reports of leaked keys.' });
}

function toJson(body: object): Response {
  return createResponse({
    status: 200,
    headers: [
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
    ],
    body: JSON.stringify(body),
  });
}
