import type { ModelConnection, ModelTimeouts } from './request.js'

/** The models of a connection are asked for. */
export interface ModelListRequest {
  /** Where it goes. */
  readonly connection: ModelConnection
  /** A limit that is passed ends the request with a `timeout` failure. */
  readonly timeouts: ModelTimeouts
}

/** One model that a provider offers to a connection, as far as its list describes it. */
export interface OfferedModel {
  /** As `model` of a request. */
  readonly id: string
  /** For people, where the provider has another name for it. */
  readonly name?: string
  /** In tokens. */
  readonly contextWindow?: number
  /** In tokens. */
  readonly maxOutputTokens?: number
  /** False: the list says that it does not answer in text, as a model of vectors. Default: unknown. */
  readonly answers?: boolean
  /** Whether it takes tools, as the list or the server says. Default: unknown. */
  readonly tools?: boolean
}
