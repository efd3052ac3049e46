import { expect } from 'chai'
import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { EmbeddingRequest, EmbeddingResult } from '../../contracts/provider-adapter/embedding.js'
import { providerError } from '../../contracts/provider-adapter/errors.js'
import { type Fault, failing } from './break-adapter.test.js'
import { playEmbeddings } from './index.js'

type Embed = NonNullable<ProviderAdapter['embed']>

/** Changes how vectors are made. */
const embed =
  (make: (own: Embed) => Embed) =>
  (adapter: ProviderAdapter): Partial<ProviderAdapter> => {
    const { embed: own } = adapter
    if (!own) throw new Error('The plain adapter has no embed.')
    return { embed: make(own) }
  }
const vectors = (change: (vectors: EmbeddingResult['vectors'], request: EmbeddingRequest) => EmbeddingResult['vectors']) =>
  embed((own) => async (request, options) => {
    const result = await own(request, options)
    return { ...result, vectors: change(result.vectors, request) }
  })
/** Answers instead of failing so. */
const careless = (wanted: (request: EmbeddingRequest) => boolean) =>
  embed((own) => async (request, options) => {
    if (!wanted(request)) return own(request, options)
    return { vectors: playEmbeddings(request.inputs), model: request.model, usage: { input_tokens: 1 } }
  })

const faults: readonly Fault[] = [
  [
    'a missing member',
    (adapter) => ({ supports: { ...adapter.supports, embed: false } }),
    ['declaration › has embed if and only if it declares it'],
  ],
  [
    'vectors in another order',
    vectors((own) => [...own].reverse()),
    [
      'embedding › returns one vector for each text, in their order',
      'embedding › makes as many calls as needed, and keeps the order across them',
      'embedding › does not mix requests that run at the same time',
    ],
  ],
  [
    'vectors of the first hundred texts',
    vectors((own) => own.slice(0, 100)),
    ['embedding › makes as many calls as needed, and keeps the order across them'],
  ],
  [
    'an empty text that is sent',
    careless(({ inputs }) => inputs.some((input) => input.trim() === '')),
    ['embedding › refuses an empty text as bad_request and without a call'],
  ],
  [
    'an empty list that is sent',
    careless(({ inputs }) => inputs.length === 0),
    ['embedding › refuses no text as bad_request and without a call'],
  ],
  [
    'vectors that are not counted',
    careless(({ inputs }) => playEmbeddings(inputs).length !== inputs.length),
    ['embedding › fails with invalid_response for a missing vector'],
  ],
  [
    'lengths that are not compared',
    careless(({ inputs, dimensions }) => dimensions === undefined && new Set(playEmbeddings(inputs).map(({ length }) => length)).size > 1),
    ['embedding › fails with invalid_response for vectors of different lengths'],
  ],
  [
    'a length that is not checked',
    careless(({ dimensions }) => dimensions === 5),
    ['embedding › fails with invalid_response for vectors of another length than requested'],
  ],
  [
    'a key in an error',
    embed((own) => async (request, options) => {
      try {
        return await own(request, options)
      } catch (error) {
        if (!providerError.isInstance(error) || request.model !== 'error') throw error
        const { connection, ...details } = error.details as Parameters<typeof providerError.create>[0]
        throw providerError.create({ ...details, connection, reason: `Wrong: ${request.connection.apiKey}` })
      }
    }),
    ['embedding › fails with provider errors of the right kind, with connection and model and without the key'],
  ],
  [
    'a request that goes on after its abort',
    embed((own) => async (request, options) => own(request, { ...options, signal: new AbortController().signal })),
    ['embedding › ends at once when it is aborted, with the reason, upstream too', 'embedding › makes no call with an aborted signal'],
  ],
]

describe('the topic of vectors', () => {
  for (const [what, change, titles] of faults)
    it(`catches ${what}`, async () => {
      const failed = await failing(change, ['text', 'embed', 'error', 'silent', 'tool-call', 'reasoning', 'opaque'])
      for (const title of titles) expect(failed).to.include(title)
      expect(failed.filter((title) => title.startsWith('embedding ›'))).to.have.members(
        titles.filter((title) => title.startsWith('embedding ›')),
      )
    })
})
