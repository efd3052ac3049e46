import type { TObject } from 'typebox'
import type { Contribution } from '../../core/contribution-point.js'
import type { EmbeddingRequest, EmbeddingResult } from './embedding.js'
import type { ModelEvent } from './events.js'
import type { ModelListRequest, OfferedModel } from './model-list.js'
import type { ModelRequest } from './request.js'

/**
 * An adapter's abilities. The host refuses a request that needs a missing one before the call, with
 * a reason; pictures and files that the model of a chat cannot be sent become texts that say so. What an adapter supports it sends, or it throws `bad_request` before the call if this
 * brand, this model or the rest of the request rules it out; it never leaves it out silently.
 */
export interface ProviderAdapterSupport {
  /** Answers come piece by piece. */
  readonly streaming: boolean
  /** Requests may have tools, tool calls and results. */
  readonly tools: boolean
  /**
   * A tool choice may forbid calls, require one, or require one tool. Without it `toolChoice` is
   * always `auto`.
   */
  readonly toolChoice: boolean
  /** Messages may have image parts. */
  readonly images: boolean
  /**
   * Messages may have file parts: any, or with `text` only those that are text by `isTextFile`,
   * whose text reaches the model then.
   */
  readonly files: boolean | 'text'
  /** Reasoning that the model shows comes as parts of its own. */
  readonly reasoning: boolean
  /** Opaque parts go back to their vendor byte for byte, and to no other. */
  readonly opaqueParts: boolean
  /** A request may have a schema for the answer. */
  readonly structuredOutput: boolean
  /** `strict` of tools reaches the vendor. Default false. */
  readonly strictTools?: boolean
  /** The vendor enforces a schema that is `strict`. Default false. */
  readonly strictSchemas?: boolean
  /** {@link ModelRequest.jsonObject} is a format of its own at the vendor. Default false. */
  readonly jsonObject?: boolean
  /** {@link ModelRequest.parallelToolCalls} reaches the vendor. Default false. */
  readonly parallelToolCalls?: boolean
  /** Answers have log probabilities for {@link ModelRequest.logprobs}. Default false. */
  readonly logprobs?: boolean
  /** {@link ModelRequest.logitBias} reaches the vendor. Default false. */
  readonly logitBias?: boolean
  /** Names of participants in messages reach the vendor. Default false. */
  readonly messageNames?: boolean
  /** The `detail` of images reaches the vendor. Default false. */
  readonly imageDetail?: boolean
  /** It makes vectors of texts and has {@link ProviderAdapter.embed}. Default false. */
  readonly embed?: boolean
  /** It asks for the models of a connection and has {@link ProviderAdapter.listModels}. Default false. */
  readonly listModels?: boolean
}

/**
 * What a vendor takes of pictures. Absent members: no limit is known. Before a call the host makes
 * larger pictures smaller, converts other types, and puts a text in the place of pictures for which
 * that is not possible; of too many it leaves out the oldest. A picture that the vendor is to fetch
 * is left as it is.
 */
export interface PictureLimits {
  /** The media types that it takes, in lower case: `image/png`, `image/jpeg`, … */
  readonly types?: readonly string[]
  /** The longest base64 of one picture, in characters: four for three bytes. */
  readonly maxBase64Length?: number
  /** The most pixels of each side. */
  readonly maxSide?: number
  /** The most pixels of each side in a request with more than so many pictures. */
  readonly maxSideOfMany?: { readonly above: number; readonly maxSide: number }
  /** The most pictures of one request. */
  readonly maxPictures?: number
}

/** One wire protocol of an adapter. */
export interface ProviderProtocol {
  /** `completions`, `anthropic-messages`, … */
  readonly id: string
  /** Other names for it that the configuration accepts. May be empty. */
  readonly aliases: readonly string[]
  /** The typed settings beside `max_tokens` and `temperature` that it accepts. */
  readonly settings: TObject
  /** Abilities in which it differs from {@link ProviderAdapter.supports}. Default: none. */
  readonly supports?: Partial<ProviderAdapterSupport>
  /** In place of {@link ProviderAdapter.pictures}. Default: the same. */
  readonly pictures?: PictureLimits
  /**
   * Paths of the native body that the service owns, dotted; `extra_params` may not touch them.
   * Those of a protocol in the catalogue (`catalogue/protocols.json`) are listed there, and the
   * host refuses them before the call: list only others.
   */
  readonly protectedPaths: readonly string[]
  /**
   * Paths that are owned too when an answer's schema was asked for; beside those of the catalogue,
   * as above.
   */
  readonly protectedStructuredPaths: readonly string[]
}

/**
 * One family of wire protocols, spoken over `fetch`. Brands are data, which an adapter sees only as
 * `connection.quirks`.
 */
export interface ProviderAdapter extends Contribution {
  /** The generation of this contract that the adapter is written for. */
  readonly specVersion: 1
  /** `adapter_alpha` to `adapter_eta`, or a third party's own id. */
  readonly id: string
  /** The plain name of the protocol family, accepted too: `openai`. */
  readonly name: string
  /** At least one; ids and aliases are unique in the adapter. */
  readonly protocols: readonly ProviderProtocol[]
  /**
   * What it can carry, constant for the life of the process; a protocol may differ, see {@link
   * supportOf}.
   */
  readonly supports: ProviderAdapterSupport
  /** What its vendors take of pictures. Default: no limit is known. */
  readonly pictures?: PictureLimits
  /**
   * Calls a model. Streamed or not, the last event of the same answer is the same. Ends the
   * upstream request at once when `signal` is aborted or the iteration is left. @throws provider
   * errors only; an abort throws the signal's reason.
   */
  call(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ModelEvent>
  /**
   * Makes vectors of texts; there if `supports.embed` is true. Refuses what the contract forbids,
   * and a model or protocol that has no vectors, as `bad_request` without a call. @throws provider
   * errors only, `invalid_response` for vectors that are not what was asked for; an abort throws
   * the signal's reason and ends the upstream request at once.
   */
  embed?(request: EmbeddingRequest, options: { readonly signal: AbortSignal }): Promise<EmbeddingResult>
  /**
   * The models that the provider offers to a connection, in its order; there if
   * `supports.listModels` is true. No model is called. @throws provider errors only, `bad_request`
   * for a brand without a list; an abort throws the signal's reason and ends the upstream request
   * at once.
   */
  listModels?(request: ModelListRequest, options: { readonly signal: AbortSignal }): Promise<readonly OfferedModel[]>
}

/** The abilities of an adapter in one of its protocols. */
export function supportOf(
  { supports, protocols }: Pick<ProviderAdapter, 'supports' | 'protocols'>,
  protocol: string,
): ProviderAdapterSupport {
  const own = protocols.find(({ id }) => id === protocol)?.supports
  return own === undefined ? supports : { ...supports, ...own }
}

/** What an adapter takes of pictures in one of its protocols. */
export const picturesOf = ({ pictures, protocols }: Pick<ProviderAdapter, 'pictures' | 'protocols'>, protocol: string): PictureLimits =>
  protocols.find(({ id }) => id === protocol)?.pictures ?? pictures ?? {}
