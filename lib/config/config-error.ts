/** An invalid setting, with a one-line message for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
