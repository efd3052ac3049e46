import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { ContentPart, OpaquePart } from '../../contracts/provider-adapter/content.js'
import { providerError } from '../../contracts/provider-adapter/errors.js'
import type { ModelEvent } from '../../contracts/provider-adapter/events.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import { createCollectingRunner } from '../collecting-runner.js'
import { describeProviderAdapter, type ProviderScenario, providerScenarios } from './index.js'
import { createPlainAdapter, createPlainUpstream, type PlainUpstream } from './plain-adapter.test.js'

export type Events = AsyncIterable<ModelEvent>
export type Call = ProviderAdapter['call']

/**
 * Runs the suite against a modified adapter; returns the titles of the failed tests, without the
 * suite's prefix.
 */
export async function failing(
  change: (adapter: ProviderAdapter, upstreams: readonly PlainUpstream[]) => Partial<ProviderAdapter>,
  scenarios: readonly ProviderScenario[] = providerScenarios,
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  const upstreams: PlainUpstream[] = []
  describeProviderAdapter({
    name: 'plain',
    runner,
    scenarios,
    abortLimitMs: 100,
    create: () => {
      const adapter = createPlainAdapter(upstreams)
      return { ...adapter, ...change(adapter, upstreams) }
    },
    upstream: (scenario) => Promise.resolve(createPlainUpstream(scenario, upstreams)),
  })
  const results = await runner.run({ testLimitMs: 5_000 })
  return results.filter(({ error }) => error !== undefined).map(({ title }) => title.replace('provider adapter plain › ', ''))
}

/** Changes each event of each call. */
export const events =
  (change: (event: ModelEvent, request: ModelRequest) => readonly ModelEvent[]) =>
  (adapter: ProviderAdapter): Partial<ProviderAdapter> => ({
    async *call(request, options): Events {
      for await (const event of adapter.call(request, options)) yield* change(event, request)
    },
  })

/** Changes the last event of each call. */
export const last = (change: (event: Extract<ModelEvent, { type: 'response.finished' }>, request: ModelRequest) => ModelEvent) =>
  events((event, request) => [event.type === 'response.finished' ? change(event, request) : event])

/** Changes the error that a call throws. */
export const thrown =
  (change: (error: unknown, request: ModelRequest) => unknown) =>
  (adapter: ProviderAdapter): Partial<ProviderAdapter> => ({
    async *call(request, options): Events {
      try {
        yield* adapter.call(request, options)
      } catch (error) {
        throw change(error, request)
      }
    },
  })

/** Changes the details of the provider errors of a scenario. */
export const details = (scenario: ProviderScenario, changed: Readonly<Record<string, unknown>>) =>
  thrown((error, request) =>
    providerError.isInstance(error) && request.model === scenario
      ? providerError.create({ ...(error.details as Parameters<typeof providerError.create>[0]), ...(changed as object) })
      : error,
  )

export const call =
  (make: (adapter: ProviderAdapter) => Call) =>
  (adapter: ProviderAdapter): Partial<ProviderAdapter> => ({ call: make(adapter) })

/** Changes the request of each call. */
export const requests = (change: (request: ModelRequest) => Partial<ModelRequest>) =>
  call((adapter) => (request, options) => adapter.call({ ...request, ...change(request) }, options))

/** Changes the parts of all messages; `undefined` removes a part. */
export const parts = (change: (part: ContentPart) => ContentPart | undefined) =>
  requests(({ messages }) => ({
    messages: messages.map((message) => ({
      ...message,
      content: message.content.map(change).filter((part) => part !== undefined),
    })) as ModelRequest['messages'],
  }))

/** Changes the opaque data that goes back to a vendor. */
export const opaqueParts = (change: (opaque: OpaquePart) => OpaquePart) =>
  parts((part) => ('opaque' in part && part.opaque ? { ...part, opaque: change(part.opaque) } : part))

export const emptyUsage = { input_tokens: 1, cached_input_tokens: 2, output_tokens: 1, reasoning_tokens: 0 }

/** The fault, its implementation, and the tests that must fail. */
export type Fault = readonly [string, Parameters<typeof failing>[0], readonly string[]]
