import { strict as assert } from 'node:assert'
import { withTimeLimit } from '../../../async/index.js'
import type { ProviderAdapter } from '../../../contracts/provider-adapter/adapter.js'
import { type ProviderFailure, providerError } from '../../../contracts/provider-adapter/errors.js'
import type { ModelEvent } from '../../../contracts/provider-adapter/events.js'
import type { ModelRequest } from '../../../contracts/provider-adapter/request.js'
import type { ServiceError } from '../../../core/errors.js'
import type { SuiteRunner } from '../../suite-runner.js'
import { collectUncheckedRules, type UncheckedRules } from '../../unchecked-rules.js'
import type { ProviderAdapterSuiteOptions, ProviderScenario, ProviderUpstream } from './suite-options.js'
import { type WatchedUpstream, watchUpstream } from './watched-upstream.js'

export type FinishedEvent = Extract<ModelEvent, { type: 'response.finished' }>

/** How a call ended. */
export interface CallOutcome {
  readonly events: readonly ModelEvent[]
  readonly error: unknown
}

/** What the topics of the suite share. */
export interface SuiteTopic {
  readonly runner: SuiteRunner
  readonly options: ProviderAdapterSuiteOptions
  readonly abortLimitMs: number
  /** What the suite cannot see with these options. */
  readonly unchecked: UncheckedRules
  /**
   * Describes a test with its own adapter and upstream; omitted if the adapter does not support the
   * scenario.
   */
  test(scenario: ProviderScenario, title: string, body: (adapter: ProviderAdapter, upstream: ProviderUpstream) => Promise<void>): void
  /**
   * Describes a test of what reaches the upstream; it checks nothing where the suite can see none of
   * it.
   */
  testWire(scenario: ProviderScenario, title: string, body: (adapter: ProviderAdapter, upstream: WatchedUpstream) => Promise<void>): void
}

/** Call it in the suite's outermost group. */
export function createSuiteTopic(options: ProviderAdapterSuiteOptions, runner: SuiteRunner): SuiteTopic {
  const unchecked = collectUncheckedRules(runner, `provider adapter ${options.name}`)
  const test: SuiteTopic['test'] = (scenario, title, body) => {
    if (!options.scenarios.includes(scenario)) return
    runner.it(title, async () => {
      const upstream = await options.upstream(scenario)
      try {
        await body(options.create(), upstream)
      } finally {
        await upstream.close()
      }
    })
  }
  return {
    runner,
    options,
    unchecked,
    abortLimitMs: options.abortLimitMs ?? 2_000,
    test,
    testWire: (scenario, title, body) => test(scenario, title, (adapter, upstream) => watched(adapter, upstream, { body, unchecked })),
  }
}

/** What nothing checks without the bodies of calls. */
const rulesOfBodies = [
  'the system prompt, every message, tool calls and tool results reach the upstream, whole and in order',
  'images and files reach the upstream',
  'tools, schemas and settings reach the upstream',
  'opaque parts go back to their vendor, and to no other',
  'declared fields reach the upstream, or are refused',
]

async function watched(
  adapter: ProviderAdapter,
  upstream: ProviderUpstream,
  {
    body,
    unchecked,
  }: { readonly body: (adapter: ProviderAdapter, upstream: WatchedUpstream) => Promise<void>; readonly unchecked: UncheckedRules },
): Promise<void> {
  const seen = await watchUpstream(upstream)
  if (!seen) return unchecked.without('bodies', ...rulesOfBodies)
  try {
    await body(adapter, seen)
  } finally {
    if (seen !== upstream) await seen.close()
  }
}

/** A tool that every request of the suite offers. */
const offeredTool = {
  name: 'get_time',
  description: 'Tells the time in a zone.',
  parameters: { type: 'object', properties: { timezone: { type: 'string' } }, required: [], additionalProperties: false },
}

export function requestFor(adapter: ProviderAdapter, upstream: ProviderUpstream, changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    connection: upstream.connection,
    protocol: upstream.protocol,
    model: upstream.model,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: 'What time is it?' }] },
    ],
    tools: adapter.supports.tools ? [offeredTool] : [],
    settings: { max_tokens: 1_000 },
    extraParams: {},
    stream: adapter.supports.streaming,
    timeouts: { connectMs: 10_000, firstTokenMs: 10_000, idleMs: 10_000, totalMs: 15_000 },
    ...changes,
  }
}

/** Makes a call to its end. */
export async function outcomeOf(
  adapter: ProviderAdapter,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<CallOutcome> {
  const events: ModelEvent[] = []
  try {
    for await (const event of adapter.call(request, { signal })) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    return { events, error }
  }
}

/** The last event of a call that succeeds. */
export async function finishedOf(
  adapter: ProviderAdapter,
  request: ModelRequest,
): Promise<{ readonly finished: FinishedEvent; readonly events: readonly ModelEvent[] }> {
  const { events, error } = await outcomeOf(adapter, request)
  if (error !== undefined) throw error
  const finished = events.find((event) => event.type === 'response.finished')
  assert.ok(finished, 'the call ended without response.finished')
  return { finished, events }
}

/** The body of one call that is made to its end. */
export async function bodyOf(adapter: ProviderAdapter, upstream: WatchedUpstream, changes: Partial<ModelRequest>): Promise<string> {
  const { error, body } = await sentBy(adapter, upstream, changes)
  if (error !== undefined) throw error
  assert.ok(body !== undefined, 'the call did not reach the upstream')
  return body
}

/** The body of one call, or `undefined` if the adapter refused the request before the call, as `bad_request`. */
export async function bodyOrRefusal(
  adapter: ProviderAdapter,
  upstream: WatchedUpstream,
  changes: Partial<ModelRequest>,
): Promise<string | undefined> {
  const { error, body } = await sentBy(adapter, upstream, changes)
  if (error === undefined) return body ?? assert.fail('the call did not reach the upstream')
  assert.equal(asProviderError(error).details['failure'], 'bad_request', 'what cannot be sent is refused as bad_request')
  assert.equal(body, undefined, 'what cannot be sent is refused before the call')
  return undefined
}

async function sentBy(adapter: ProviderAdapter, upstream: WatchedUpstream, changes: Partial<ModelRequest>) {
  const before = upstream.bodies().length
  const { error } = await outcomeOf(adapter, requestFor(adapter, upstream, changes))
  // The last one: an adapter may ask for a token first.
  return { error, body: upstream.bodies().slice(before).at(-1) }
}

const knownFailures: readonly string[] = [
  'authentication',
  'quota_exceeded',
  'rate_limited',
  'overloaded',
  'transport',
  'timeout',
  'truncated',
  'context_overflow',
  'bad_request',
  'model_not_found',
  'content_filtered',
  'invalid_response',
] satisfies readonly ProviderFailure[]

/** The provider error of a call that fails. */
export function asProviderError(error: unknown): ServiceError {
  assert.ok(error !== undefined, 'the call succeeded')
  assert.ok(providerError.isInstance(error), `the call threw something other than a provider error: ${String(error)}`)
  const kind = String(error.details['failure'])
  assert.ok(knownFailures.includes(kind), `the failure is “${kind}”; expected one of ${knownFailures.join(', ')}`)
  return error
}

/** Fails when a promise takes longer. */
export function within<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  return withTimeLimit(() => promise, {
    limitMs,
    timedOut: () => new assert.AssertionError({ message: `${what} took longer than ${limitMs} ms` }),
  })
}
