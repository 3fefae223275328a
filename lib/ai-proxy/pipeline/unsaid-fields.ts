import { type HttpError, withOptions } from '#lib/http/errors/errors.ts';
import { otherEncoding } from '../protocols/embeddings/read-result.ts';
import { countTokensPath, type Exchange, embeddingsPath } from './generation.ts';
import type { PlannedTarget } from './plan-request.ts';

/** Of one request, which may be translated. */
const otherTypes = { name: 'other_types', values: [], isOfRequest: true };
const missingCount = { name: 'count_tokens', values: [] };

/**
 * What errors do not say: that an endpoint is missing, or in which encoding a server sends vectors, for which few have
 * words; or which tool or item one of Responses or Messages does not know, for which each has its own.
 */
export function withUnsaidField(
  error: HttpError,
  { path, added }: Exchange,
  { isListed }: PlannedTarget,
): HttpError {
  const isOneOf = (statuses: readonly number[]) => statuses.includes(error.upstreamStatus ?? 0);
  // Of names that clients make up there is no end.
  if (path === countTokensPath && isOneOf([404, 405, 501]) && isListed) {
    return withOptions(error, { rejectedFields: [missingCount] });
  }
  if (error.rejectedFields.length > 0) return added === 'all' ? error : withOwnReasoning(error);
  if (!isOneOf([400, 422])) return error;
  if (path === embeddingsPath) return withOptions(error, { rejectedFields: [otherEncoding] });
  const isRepaired = error.rejectedBound !== null || error.rejectsReasoning;
  const isNative = path === '/responses' || path === '/messages';
  const mayBeOfTypes = isNative && error.isUnexplained && !isRepaired;
  return mayBeOfTypes ? withOptions(error, { rejectedFields: [otherTypes] }) : error;
}

/** A client of chat writes reasoning where it likes, and under any name: that says nothing of the messages of others. */
function withOwnReasoning(error: HttpError): HttpError {
  const rejectedFields = error.rejectedFields.map((field) =>
    field.name === 'returned_reasoning' ? { ...field, isOfRequest: true } : field,
  );
  return withOptions(error, { rejectedFields });
}
