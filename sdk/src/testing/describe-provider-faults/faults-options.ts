import type { ProviderAdapter } from '../../contracts/provider-adapter/adapter.js'
import type { ModelRequest } from '../../contracts/provider-adapter/request.js'
import type { SuiteRunner } from '../suite-runner.js'

/** Pieces of the adapter's wire protocol, from which the faults are made. */
export interface FaultWire {
  /** Of a streamed answer. */
  readonly contentType: string
  /** The beginning of a stream, up to and with the text `Hello, `. */
  readonly text: Uint8Array
  /** The rest of a stream that ends normally, with the text `world`. */
  readonly end: Uint8Array
  /**
   * The beginning of a stream, with a call whose arguments have not ended. If calls come whole:
   * half of the document with the call.
   */
  readonly halfCall: Uint8Array
  /** In a stream: the vendor is overloaded. */
  readonly overloaded: Uint8Array
  /** In a stream: the account's quota is used up. */
  readonly noMoney: Uint8Array
  /** The body of a refusal with this message. */
  errorBody(words: string): string
  /** The answer in one piece, with the text `Hello, world`. */
  readonly whole: string
}

/** The options of {@link describeProviderFaults}. */
export interface ProviderFaultsOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the adapter; once. */
  create(): ProviderAdapter
  /** A request that asks for a stream. */
  request(baseUrl: string): ModelRequest
  /** See {@link FaultWire}. */
  readonly wire: FaultWire
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}
