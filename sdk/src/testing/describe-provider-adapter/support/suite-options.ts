import type { ProviderAdapter } from '../../../contracts/provider-adapter/adapter.js'
import type { ProviderFailure } from '../../../contracts/provider-adapter/errors.js'
import type { ModelUsage, StopReason } from '../../../contracts/provider-adapter/events.js'
import type { ModelConnection } from '../../../contracts/provider-adapter/request.js'
import type { JsonObject } from '../../../core/json.js'
import type { SuiteRunner } from '../../suite-runner.js'

/** Every scenario, for adapters that can meet all of them. */
export const providerScenarios = [
  'text',
  'tool-call',
  'parallel-calls',
  'reasoning',
  'cut-text',
  'cut-tool-call',
  'error',
  'error-in-answer',
  'silent',
  'endless',
  'one-piece',
  'opaque',
  'embed',
] as const

/**
 * The scenarios that an upstream can play. `text`: a plain answer. `tool-call`: one call with
 * arguments. `parallel-calls`: two calls or more. `reasoning`: reasoning, then text. `cut-text`,
 * `cut-tool-call`: the connection ends in the middle of text, of a call's arguments. `error`: the
 * call is refused. `error-in-answer`: the status is 200, some text comes if the protocol streams,
 * then the vendor's error. `silent`: no answer. `endless`: some text, then nothing, and no end.
 * `one-piece`: a plain answer in one piece, even if a stream was requested. `opaque`: one call,
 * with something that the vendor wants back with the conversation (a text of 24 characters or
 * more); once its result came, text. `embed`: vectors, made with `playEmbeddings`.
 */
export type ProviderScenario = (typeof providerScenarios)[number]

/** The expected answer of a scenario. Absent members are not compared. */
export interface ExpectedAnswer {
  /** All text parts, joined. */
  readonly text?: string
  /** All reasoning parts, joined. */
  readonly reasoning?: string
  /** The complete calls, in order, arguments parsed. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
  /** In our vocabulary. */
  readonly stopReason?: StopReason
  /** The upstream's counts. */
  readonly usage?: ModelUsage
  /** For `text`: the ids of the models that the upstream offers, in its order. */
  readonly models?: readonly string[]
  /** For `error`. */
  readonly failure?: ProviderFailure
  /** For `error`: whether the same call may succeed later. */
  readonly retryable?: boolean
}

/** An upstream that plays one scenario, again and again, to any number of calls. */
export interface ProviderUpstream {
  /** Its `apiKey`, if any, must never appear in an error. */
  readonly connection: ModelConnection
  /** One of the adapter's protocols. */
  readonly protocol: string
  /** The model to ask for. */
  readonly model: string
  /** The model to ask for vectors. Default: the same. */
  readonly embeddingModel?: string
  /** The expected answer of its scenario. */
  readonly expected: ExpectedAnswer
  /** How many calls arrived so far. */
  calls(): number
  /**
   * The bodies of the calls so far as text, as they came over the wire, decompressed. Default: the
   * suite sees them by a proxy of its own, which takes the place of `connection.baseUrl` where that
   * is an address of HTTP. Otherwise it cannot check what the adapter sends, and notes that.
   */
  bodies?(): readonly string[]
  /** Resolves once every received call has ended or was cancelled by its caller. */
  idle(): Promise<void>
  /** Ends every open call and frees the port. */
  close(): Promise<void>
}

/** The options of {@link describeProviderAdapter}. */
export interface ProviderAdapterSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the adapter. Called for each test. */
  create(): ProviderAdapter
  /**
   * The scenarios that the adapter can meet; `text` is always one of them. For example, an adapter
   * without a network has no `cut-text`.
   */
  readonly scenarios: readonly ProviderScenario[]
  /** Starts an upstream. Closed by the suite after each test. */
  upstream(scenario: ProviderScenario): Promise<ProviderUpstream>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for an abort to reach the upstream, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}
