import { estimateRequest } from '#lib/spend/usage/estimate-tokens.ts';
import { readEmbeddingsRequest } from '../../protocols/embeddings/read-request.ts';
import { readEmbeddingsResult } from '../../protocols/embeddings/read-result.ts';
import { writeJson } from '../../protocols/json/source-text.ts';
import { changeRequest } from '../../quirks/quirks.ts';
import type { Endpoint } from '../generation.ts';
import { neverStreamed, requireProtocol } from './endpoints.ts';

/** 2048 vectors of 3072 numbers as text are larger than any reply of a language model. */
const embeddingsBytesMax = 128 * 1024 * 1024;

/** Vectors for texts. There are no streams of them. */
export function createEmbeddingsEndpoint(): Endpoint {
  return {
    name: 'embeddings',
    protocol: 'embeddings',
    modelKind: 'embedding',
    takesTokens: true,
    read(body) {
      const request = readEmbeddingsRequest(body);
      return {
        ...request,
        isStream: false,
        outputTokensMin: 0,
        outputTokensMax: 0,
        choices: 1,
        media: estimateRequest(body).media,
        toExchange: ({ model, protocols, limits }) => {
          requireProtocol('embeddings', protocols);
          const sent = { dialect: 'embeddings' } as const;
          return {
            sent,
            path: '/embeddings',
            body: writeJson({ ...changeRequest(request.sent, sent, limits), model }),
            resultBytesMax: embeddingsBytesMax,
            toResult: (text) => readEmbeddingsResult(text, request),
            createRelay: neverStreamed,
          };
        },
      };
    },
  };
}
