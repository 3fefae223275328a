import { countMedia } from '#lib/spend/usage/estimate-tokens.ts';
import { readEmbeddingsRequest } from '../../protocols/embeddings/read-request.ts';
import { readEmbeddingsResult } from '../../protocols/embeddings/read-result.ts';
import { requireProtocol } from '../../upstreams/protocols.ts';
import { type Endpoint, neverStreamed } from '../generation.ts';

/** 2048 vectors of 3072 numbers as text are larger than any reply of a language model. */
const embeddingsBytesMax = 128 * 1024 * 1024;

/** Vectors for texts. There are no streams of them. */
export function createEmbeddingsEndpoint(): Endpoint {
  return {
    name: 'embeddings',
    protocol: 'embeddings',
    modelKind: 'embedding',
    read(given) {
      const request = readEmbeddingsRequest(given);
      return {
        ...request,
        isStream: false,
        outputTokensMin: 0,
        outputTokensMax: 0,
        choices: 1,
        countMedia: () => countMedia(given),
        toExchange: ({ model, protocols }) => {
          requireProtocol('embeddings', protocols);
          return {
            path: '/embeddings',
            body: JSON.stringify({ ...request.sent, model }),
            resultBytesMax: embeddingsBytesMax,
            toResult: (text) => readEmbeddingsResult(text, request),
            createRelay: neverStreamed,
          };
        },
      };
    },
  };
}
