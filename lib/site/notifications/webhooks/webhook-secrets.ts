import { createHmac, randomBytes } from 'node:crypto';
import { createKeyHasher, type KeyHasher, toPepperId } from '#lib/keys/key-text.ts';
import { loadPepper } from '#lib/keys/pepper.ts';

/** What the database has of a secret: worthless without the pepper. */
export type SecretSeed = Readonly<{
  salt: string;
  /** Which pepper it was derived with. */
  pepperId: string;
}>;

export type WebhookSecrets = Readonly<{
  makeSeed: () => SecretSeed;
  /** `whsec_…`; null if its pepper is neither the present nor the previous one. */
  toSecret: (webhookId: string, seed: SecretSeed) => string | null;
  /** Whether a secret goes on working without KEY_PEPPER_PREVIOUS. */
  isCurrent: (seed: SecretSeed) => boolean;
}>;

type SecretsSettings = Readonly<{
  keys: Readonly<{ pepper: string | null; previousPepper: string | null }>;
  storage: Readonly<{ dataDir: string }>;
}>;

/**
 * A webhook's secret must be known to sign with it, so it cannot be stored as a hash. It is derived from a random
 * salt and the pepper: who reads the database, or a backup of it, can sign nothing.
 */
export function createWebhookSecrets({ keys, storage }: SecretsSettings): WebhookSecrets {
  const { pepper, previousPepper } = keys;
  let hashers: Readonly<Record<string, KeyHasher>> | null = null;
  let currentId = '';

  // At first use: a site without webhooks needs no pepper.
  function loadHashers() {
    if (hashers !== null) return hashers;
    const current = createKeyHasher(loadPepper({ keyPepper: pepper, dataDir: storage.dataDir }));
    const all = [current, ...(previousPepper === null ? [] : [createKeyHasher(previousPepper)])];
    currentId = toPepperId(current);
    hashers = Object.fromEntries(all.map((hasher) => [toPepperId(hasher), hasher]));
    return hashers;
  }

  return {
    makeSeed() {
      loadHashers();
      return { salt: randomBytes(24).toString('base64url'), pepperId: currentId };
    },
    toSecret(webhookId, { salt, pepperId }) {
      const hash = loadHashers()[pepperId]?.(`webhook ${JSON.stringify([webhookId, salt])}`);
      if (hash === undefined) return null;
      return `${secretPrefix}${Buffer.from(hash, 'base64url').toString('base64')}`;
    },
    isCurrent({ pepperId }) {
      loadHashers();
      return pepperId === currentId;
    },
  };
}

const secretPrefix = 'whsec_';

type SignedMessage = Readonly<{
  id: string;
  /** Of the attempt, Unix seconds. */
  timestamp: number;
  body: string;
}>;

/** The `webhook-signature` header of the Standard Webhooks specification, with a signature by each secret. */
export function sign(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return signatures.join(' ');
}
