import type { ModelEvent, ModelRequest, ProviderAdapter } from '../../contracts/provider-adapter/index.js'
import { ServiceError } from '../../core/errors.js'

/**
 * A complete request, by default in the protocol `completions`; a test passes the members that
 * matter.
 */
export const requestTo = (
  baseUrl: string,
  changes: Partial<ModelRequest> & { readonly quirks?: ModelRequest['connection']['quirks'] } = {},
): ModelRequest => {
  const { quirks, ...rest } = changes
  return {
    connection: { handle: 'work', brand: 'custom', baseUrl, apiKey: 'sk-test-key-0123456789abcdef', quirks: quirks ?? {} },
    protocol: 'completions',
    model: 'model-1',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    settings: {},
    extraParams: {},
    stream: true,
    timeouts: { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, totalMs: 15_000 },
    ...rest,
  }
}

/** How a call ended, with all that it yielded. */
export interface CallOutcome {
  /** In order. */
  readonly events: readonly ModelEvent[]
  /** The last event of a call that succeeded. */
  readonly finished: Extract<ModelEvent, { type: 'response.finished' }> | undefined
  /** The error of a failed call. */
  readonly error: ServiceError | undefined
  /** All deltas of text, joined. */
  readonly text: string
  /** All deltas of reasoning, joined. */
  readonly reasoning: string
}

/** Makes a call to its end. Throws only errors that are not of the project. */
export async function outcomeOf(
  adapter: ProviderAdapter,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<CallOutcome> {
  const events: ModelEvent[] = []
  let error: ServiceError | undefined
  try {
    for await (const event of adapter.call(request, { signal })) events.push(event)
  } catch (thrown) {
    if (!ServiceError.isInstance(thrown)) throw thrown
    error = thrown
  }
  const joined = (type: 'text.delta' | 'reasoning.delta'): string => events.map((event) => (event.type === type ? event.text : '')).join('')
  return {
    events,
    finished: events.find((event) => event.type === 'response.finished'),
    error,
    text: joined('text.delta'),
    reasoning: joined('reasoning.delta'),
  }
}
