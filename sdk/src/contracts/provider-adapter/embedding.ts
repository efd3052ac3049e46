import type { ModelConnection, ModelTimeouts } from './request.js'

/** Texts whose vectors are wanted. */
export interface EmbeddingRequest {
  /** Where it goes. */
  readonly connection: ModelConnection
  /** One of the adapter's `protocols`. */
  readonly protocol: string
  /** The model's id, as the vendor writes it. */
  readonly model: string
  /**
   * At least one and at most {@link maxEmbeddingInputs}; none of them empty. An adapter sends them
   * in as many calls as its vendor wants.
   */
  readonly inputs: readonly string[]
  /**
   * What the vectors are for, if a model distinguishes them: `document` for what is stored,
   * `query` for what is looked for in it. Default `document`.
   */
  readonly purpose?: 'document' | 'query'
  /**
   * How long the vectors are to be, for models that offer a choice. Default: the model's own
   * length.
   */
  readonly dimensions?: number
  /**
   * The first-token limit holds for each call, the total for all of them. A limit that is passed
   * ends the request with a `timeout` failure.
   */
  readonly timeouts: ModelTimeouts
}

/** The vectors of texts. */
export interface EmbeddingResult {
  /**
   * One for each input, in their order; all of one length, and all numbers finite. Whether they
   * have length 1 is up to the model.
   */
  readonly vectors: readonly (readonly number[])[]
  /** The model as the vendor names it in its answer, else as it was asked for. */
  readonly model: string
  /** What it took. `estimated` if the vendor gives no number. */
  readonly usage: EmbeddingUsage
}

/** What vectors took. */
export interface EmbeddingUsage {
  /** Tokens of all inputs. */
  readonly input_tokens: number
  /** The number was estimated from the length of the texts. */
  readonly estimated?: true
}

/** The most inputs of one {@link EmbeddingRequest}. */
export const maxEmbeddingInputs = 4_096
