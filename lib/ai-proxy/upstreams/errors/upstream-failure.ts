import { HttpError, type HttpErrorOptions, toHttpError } from '#lib/http/errors/errors.ts';

type UpstreamFailureOptions = HttpErrorOptions &
  Readonly<{
    /** Of the upstream's response, if that was the cause. */
    upstreamStatus?: number | null;
    /** The upstream may charge for a request that failed like this. */
    isBillable?: boolean;
    /** Another upstream may succeed. */
    isRetryable?: boolean;
    /** The upstream takes no reply bound as large as the one it got. */
    rejectedBound?: RejectedBound | null;
    /** The upstream cannot read encrypted reasoning of the request. */
    rejectsReasoning?: boolean;
    /** The upstream rejects the request, and gives no reason that is known here. */
    isUnexplained?: boolean;
    /** Fields of the request that the upstream does not take, or not with their values. */
    rejectedFields?: readonly RejectedField[];
    /** Reads an error within a reply once more, with the JSON that the upstream was sent: what it rejects stands in there. */
    readWithSent?: ((sent: string) => UpstreamFailure) | null;
  }>;

export type RejectedField = Readonly<{
  name: string;
  /** The values that it takes; none: it does not take the field. */
  values: readonly string[];
  /** It is about what stands in this request, and says nothing of others. */
  isOfRequest?: boolean;
}>;

export type RejectedBound = Readonly<{
  /** The largest that it takes; null: it does not say. */
  outputTokensMax: number | null;
  /** Whether that holds for any request to the model. */
  isOfModel?: boolean;
}>;

/** Why a target has given no reply: with what decides about fail-over, charges, and another try. */
export class UpstreamFailure extends HttpError {
  readonly upstreamStatus: number | null;
  readonly isBillable: boolean;
  readonly isRetryable: boolean;
  readonly rejectedBound: RejectedBound | null;
  readonly rejectsReasoning: boolean;
  readonly isUnexplained: boolean;
  readonly rejectedFields: readonly RejectedField[];
  readonly readWithSent: ((sent: string) => UpstreamFailure) | null;

  constructor(status: number, options: UpstreamFailureOptions) {
    super(status, options);
    this.upstreamStatus = options.upstreamStatus ?? null;
    this.isBillable = options.isBillable ?? false;
    this.isRetryable = options.isRetryable ?? false;
    this.rejectedBound = options.rejectedBound ?? null;
    this.rejectsReasoning = options.rejectsReasoning ?? false;
    this.isUnexplained = options.isUnexplained ?? false;
    this.rejectedFields = options.rejectedFields ?? [];
    this.readWithSent = options.readWithSent ?? null;
  }

  /** The same with other options. */
  with(options: Partial<UpstreamFailureOptions>): UpstreamFailure {
    const { status, message, cause } = this;
    return new UpstreamFailure(status, { ...this, message, cause, ...options });
  }
}

/** Anything thrown: what did not come from an upstream costs nothing, and is the same for every target. */
export function toFailure(thrown: unknown): UpstreamFailure {
  if (thrown instanceof UpstreamFailure) return thrown;
  const error = toHttpError(thrown);
  const { status, message, cause } = error;
  return new UpstreamFailure(status, { ...error, message, cause });
}
