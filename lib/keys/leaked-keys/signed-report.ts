import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { createApiError, type HttpError } from '#lib/http/errors/errors.ts';
import { parseJson } from '#lib/http/json-value.ts';

/** GitHub's list of the keys that it signs with. */
const publicKeyList = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string(), key: z.string() })).max(100),
});

const report = z
  .array(z.object({ token: z.string().max(1000), type: z.string().max(200) }))
  .min(1)
  .max(1000);

/** A secret that was found in public, and the name that GitHub has for its kind. */
export type ReportedSecret = z.infer<typeof report>[number];

type ReadSignedReport = (
  headers: Pick<Headers, 'get'>,
  body: Uint8Array,
) => Promise<readonly ReportedSecret[]>;

type SignedReportOptions = Readonly<{
  publicKeysUrl: string;
  /** A clock that nobody sets, in ms. */
  uptime?: () => number;
}>;

const fetchTimeoutMs = 5_000;
/** Anybody can name a public key that does not exist: the list is read again this rarely. */
const fetchIntervalMs = 60_000;

/**
 * Reads what GitHub's secret scanning sends: ECDSA over P-256 and SHA-256, in DER, of the bytes as they came.
 * @throws HttpError 401 without a valid signature, 400 for another body, 502 if the public keys cannot be read
 */
export function createSignedReportReader({
  publicKeysUrl,
  uptime = () => performance.now(),
}: SignedReportOptions): ReadSignedReport {
  let keys: ReadonlyMap<string, KeyObject> = new Map();
  let nextFetchAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  async function fetchKeys(): Promise<void> {
    nextFetchAt = uptime() + fetchIntervalMs;
    try {
      keys = await loadPublicKeys(publicKeysUrl);
    } catch (cause) {
      throw createApiError('upstream_error', {
        message: 'The public keys that reports are signed with could not be read.',
        hint: 'Send the report again in a minute.',
        reason: 'public_keys_unreadable',
        headers: { 'Retry-After': String(fetchIntervalMs / 1000) },
        cause,
      });
    } finally {
      fetching = null;
    }
  }

  async function findKey(identifier: string): Promise<KeyObject | undefined> {
    if (!keys.has(identifier) && (fetching !== null || uptime() >= nextFetchAt)) {
      fetching ??= fetchKeys();
      await fetching;
    }
    return keys.get(identifier);
  }

  return async (headers, body) => {
    const identifier = headers.get('github-public-key-identifier') ?? '';
    const signature = Buffer.from(headers.get('github-public-key-signature') ?? '', 'base64');
    if (identifier === '' || signature.length === 0) throw toUnsigned();
    const key = await findKey(identifier);
    if (key === undefined || !verify('sha256', body, key, signature)) throw toUnsigned();
    const { success, data } = report.safeParse(parseJson(Buffer.from(body).toString()));
    if (success) return data;
    throw createApiError('bad_request', {
      message: 'The body is no report of GitHub’s secret scanning.',
      hint: 'Send an array of objects with `token` and `type`.',
    });
  };
}

async function loadPublicKeys(url: string): Promise<ReadonlyMap<string, KeyObject>> {
  const signal = AbortSignal.timeout(fetchTimeoutMs);
  const response = await fetch(url, { signal, headers: { accept: 'application/json' } });
  const { public_keys: listed } = publicKeyList.parse(await response.json());
  const keys = listed.map(({ key_identifier: identifier, key }) => {
    return [identifier, createPublicKey(key)] as const;
  });
  return new Map(keys.filter(([, key]) => isP256(key)));
}

function isP256({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

function toUnsigned(): HttpError {
  return createApiError('unauthorized', {
    message: 'The report has no valid signature.',
    hint: 'Sign the bytes of the body, and send Github-Public-Key-Identifier and Github-Public-Key-Signature.',
    reason: 'report_not_signed',
  });
}
