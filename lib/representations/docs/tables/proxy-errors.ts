/** An error of the AI proxy as the documentation lists it. `errors.md` describes it. */
type ProxyErrorRow = Readonly<{
  /** One HTTP status, or several with commas. */
  status: string;
  type: string;
  /** null: identified by its type only, which is also the anchor of its section. */
  code: string | null;
}>;

const invalid = 'invalid_request_error';

/** Every error of the AI proxy, ordered by status. */
export const proxyErrors: readonly ProxyErrorRow[] = [
  { status: '400, 422', type: invalid, code: null },
  { status: '400', type: invalid, code: 'invalid_json' },
  { status: '400', type: invalid, code: 'unsupported_parameter' },
  { status: '400', type: invalid, code: 'context_length_exceeded' },
  { status: '400', type: invalid, code: 'content_filter' },
  { status: '401', type: invalid, code: 'invalid_api_key' },
  { status: '402', type: 'insufficient_quota', code: 'insufficient_quota' },
  { status: '403', type: 'permission_error', code: 'model_not_allowed' },
  { status: '403', type: 'permission_error', code: 'messages_not_allowed' },
  { status: '403', type: 'permission_error', code: 'model_without_price' },
  { status: '404', type: invalid, code: 'model_not_found' },
  { status: '404', type: invalid, code: 'unknown_url' },
  { status: '405', type: invalid, code: 'method_not_allowed' },
  { status: '413', type: invalid, code: 'request_too_large' },
  { status: '415', type: invalid, code: 'unsupported_media_type' },
  { status: '429', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  { status: '500', type: 'server_error', code: 'server_misconfigured' },
  { status: '500', type: 'server_error', code: 'internal_error' },
  { status: '502', type: 'server_error', code: 'upstream_error' },
  { status: '503', type: 'server_error', code: 'server_is_overloaded' },
  { status: '504', type: 'server_error', code: 'upstream_timeout' },
];
