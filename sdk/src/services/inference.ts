import type { ModelEvent } from '../contracts/provider-adapter/events.js'
import type { ModelMessage, ModelTool, ResponseSchema, ToolChoice } from '../contracts/provider-adapter/request.js'
import { defineError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { AnswerFallback } from '../runs/answer-fallback.js'
import type { TraceContext } from './telemetry.js'

export type { AnswerFallback } from '../runs/answer-fallback.js'

/** A model group as others see it. */
export interface ModelGroup {
  /** The group's name in the section `models`. */
  readonly name: string
  /** Handle of the connection and id of the model that is tried first. */
  readonly provider: string
  /** See `provider`. */
  readonly model: string
  /** In tokens: the configured value, else the catalogue's, else 128,000. */
  readonly context_window: number
  /** The most tokens of one answer, if the group states it. */
  readonly max_tokens?: number
  /**
   * It is for embeddings, not for answers: it is the group `embedding`, or its own model is an
   * embedding model, and its adapter makes them.
   */
  readonly embeds?: true
  /** Its own model takes no tools, as its vendor or the catalogue says: agents answer without them. */
  readonly tools?: false
}

/** One inference through a group. */
export interface InferenceRequest {
  /**
   * A group's name. One that does not exist falls back to `primary`, with a `group.substituted`
   * event.
   */
  readonly group: string
  /** The conversation from old to new. Every tool call in it has its one result. */
  readonly messages: readonly ModelMessage[]
  /** What the model may call. May be empty. */
  readonly tools: readonly ModelTool[]
  /** Default `auto`. */
  readonly toolChoice?: ToolChoice
  /** The JSON Schema that the answer must follow. Default: free text. */
  readonly responseSchema?: ResponseSchema
  /** True: the answer is one JSON object of any shape. Not together with `responseSchema`. */
  readonly jsonObject?: boolean
  /** Whether the model may make several tool calls in one answer. Default: as the vendor does. */
  readonly parallelToolCalls?: boolean
  /**
   * Asks for the log probability of each token of the text, with those of `top` likely tokens in the
   * same position, 0 to 20. Default: none.
   */
  readonly logprobs?: { readonly top: number }
  /** What to add to the logits of tokens, by the vendor's token id. Default: nothing. */
  readonly logitBias?: Readonly<Record<string, number>>
  /** Default true. */
  readonly stream?: boolean
  /**
   * Settings of this call that win over the group's: `max_tokens` or `max_completion_tokens`,
   * `temperature`, and the typed ones in the specification's names; `stop` is `stop_sequences` where
   * the protocol names it so. One that the protocol of a model does not know is left out for that
   * model, or see `exact`. Default: none.
   */
  readonly settings?: JsonObject
  /**
   * True: settings, tools, a tool choice, images and files reach the model as they are; a model that
   * cannot be sent one of them is not called. Default: what a brand or model does not take, or its
   * vendor refuses, is left out or replaced by a note.
   */
  readonly exact?: boolean
  /**
   * `never`: emitted content cannot be revoked, so a failure after it is final. Default: another
   * attempt may begin at any time.
   */
  readonly restarts?: 'never'
  /** The attribution, for accounting. */
  readonly attribution?: InferenceAttribution
  /**
   * Calls for this answer whose process crashed before it reported their usage, oldest first. The
   * prompt of each is estimated and accounted to the user, once, however often the call is named;
   * not that of one whose end was recorded after all. Default: none.
   */
  readonly lostCalls?: readonly LostCall[]
  /** The span that it is part of, for traces. Default: a trace of its own. */
  readonly span?: TraceContext
}

/** An announced call without a recorded end. */
export interface LostCall {
  /** Its name among the calls of the user; the same whenever it is named again. */
  readonly id: string
  /** When it was announced, in milliseconds since 1970. */
  readonly requestedAt: number
}

/** The attribution of a model call. */
export interface InferenceAttribution {
  /** The user who pays for it. */
  readonly userId: string
  /** The agent that called, if one did. */
  readonly agentId?: string
  /** The chat that it belongs to, if there is one. */
  readonly chatId?: string
  /** The run that it is part of, if there is one. */
  readonly runId?: string
  /**
   * What it is for, if not an answer of the run or of the caller: one word in snake_case, such as
   * `title`. The usage shows it.
   */
  readonly purpose?: string
}

/** The end of an inference. */
export type InferenceAnswer = Extract<ModelEvent, { readonly type: 'response.finished' }> & {
  /** Absent: the wanted model answered. */
  readonly fallback?: AnswerFallback
}

/**
 * The events of an inference: those of the answering model, and those of the service's attempts.
 */
export type InferenceEvent =
  | Exclude<ModelEvent, { readonly type: 'response.finished' }>
  | InferenceAnswer
  | { readonly type: 'group.substituted'; readonly wanted: string; readonly used: string }
  /**
   * A target is about to be called; every event until the next one of this type is of this attempt.
   */
  | {
      readonly type: 'attempt.started'
      readonly attempt: number
      readonly provider: string
      readonly model: string
      /** 0 for the group's own model, else the number of the fallback. */
      readonly fallback: number
    }
  /** The vendor's limit is used up; the attempt begins when it is available again. */
  | { readonly type: 'attempt.delayed'; readonly delay_ms: number; readonly provider: string; readonly model: string }
  /** The attempt failed and another follows. When it had yielded deltas, those no longer count. */
  | {
      readonly type: 'attempt.retrying'
      readonly attempt: number
      /** How many attempts there are before the model is given up, counted as `attempt` is. Absent: not known. */
      readonly max_attempts?: number
      readonly delay_ms: number
      readonly failure: string
      readonly reason: string
    }
  /**
   * A model has failed and the next one of the group is asked. When an attempt had yielded deltas,
   * those no longer count.
   */
  | {
      readonly type: 'attempt.fallback'
      readonly attempt: number
      readonly provider: string
      readonly model: string
      readonly next: { readonly provider: string; readonly model: string }
      readonly failure: string
      readonly reason: string
    }
  /**
   * The vendor refused something of the request, so the next attempt goes without it: pictures and
   * files (`parts`), in whose place a text stands, or all tools, since the model knows none (`tools`).
   * Later requests go without it at once if the refusal was clear; they say so again for tools, and
   * not for parts.
   */
  | {
      readonly type: 'request.reduced'
      readonly provider: string
      readonly model: string
      readonly left_out: 'parts' | 'tools'
      /** How many of them this attempt goes without that the one before had, or would have had. */
      readonly count: number
      /** Why, in the vendor's words. */
      readonly reason: string
    }

/** Settings of the section `inference` for plugins that drive conversations. */
export interface InferenceLimits {
  /** Tool-call iterations in one response of an agent. */
  readonly max_tool_turns: number
  /** Tokens to reserve for the output if a group states no limit. */
  readonly default_max_tokens: number
  /** Per cent of the history budget that may be used. */
  readonly history_truncation_pct: number
}

/** A conversation whose tokens are to be counted. */
export interface TokenCountRequest {
  /**
   * A group's name. One that does not exist counts as `primary`, as {@link Inference.infer} takes
   * it.
   */
  readonly group: string
  /** What would be sent to the model, system messages included. */
  readonly messages: readonly ModelMessage[]
  /** What the model could call. May be empty. */
  readonly tools: readonly ModelTool[]
}

/** How a count is made. */
export interface TokenCountOptions {
  /** Ends the count. Default: nothing but the limit of a minute. */
  readonly signal?: AbortSignal
  /**
   * In tokens: when the count is surely not above this, an estimate will do. Default: it is always
   * counted if that is possible.
   */
  readonly atMost?: number
}

/** How much of a model's window a conversation takes. */
export interface TokenCount {
  /**
   * Everything together: texts, the schemas of tools, media, and what the vendor puts around
   * messages.
   */
  readonly tokens: number
  /**
   * The texts were counted by the tokenizer of the group's own model and there was nothing else.
   * Otherwise `tokens` is an estimate on the safe side.
   */
  readonly exact: boolean
  /** The group's context window, in tokens. */
  readonly window: number
  /**
   * What of it is kept for the answer, in tokens: the group's `max_tokens`, else the configured
   * default; at most half of the window.
   */
  readonly reserve: number
}

/** Texts whose vectors are wanted, through a group. */
export interface EmbedRequest {
  /** A group's name; there is no fallback for an unknown one. Default `embedding`. */
  readonly group?: string
  /** At least one and at most 4,096; none of them empty. */
  readonly inputs: readonly string[]
  /**
   * What they are for, if the model distinguishes them: `document` for what is stored, `query`
   * for what is looked for in it. Default `document`.
   */
  readonly purpose?: 'document' | 'query'
  /**
   * How long the vectors are to be, for models that offer a choice. Default: the model's own
   * length.
   */
  readonly dimensions?: number
  /** The attribution, for accounting. */
  readonly attribution?: InferenceAttribution
}

/** Vectors of texts. */
export interface Embedding {
  /** One for each input, in their order; all of one length, all numbers finite. */
  readonly vectors: readonly (readonly number[])[]
  /** The model as the vendor names it. */
  readonly model: string
  /** Handle of the connection that made them. */
  readonly provider: string
  /**
   * Names the space that they are in, by the configured model and their length. Only vectors of one
   * space can be compared: store it with them.
   */
  readonly space: string
  /** What it took; `estimated` if the vendor gives no number. */
  readonly usage: { readonly input_tokens: number; readonly estimated?: true }
}

/**
 * The one way to call a model.
 *
 * @example
 * const request: InferenceRequest = {
 *   group: 'primary',
 *   messages: [{ role: 'user', content: [{ type: 'text', text: 'Name a colour.' }] }],
 *   tools: [],
 *   attribution: { userId },
 * }
 * let answer = ''
 * for await (const event of context.use(inferenceService).infer(request, { signal }))
 *   if (event.type === 'text.delta') answer += event.text
 */
export interface Inference {
  /** As configured; constant while the plugin runs. */
  readonly limits: InferenceLimits
  /**
   * The groups of the configuration, or the one that was discovered if it has none. May be empty.
   * Calls no provider.
   */
  groups(): readonly ModelGroup[]
  /**
   * Runs an inference through the group's models in order, each tried again as the group says.
   * @throws the error of the last model that was asked, {@link modelGroupUnknownError}, {@link
   * modelGroupUnusableError}, {@link requestUnsupportedError}, {@link credentialMissingError},
   * {@link budgetExceededError}; an abort throws the signal's reason and ends the upstream request
   * at once.
   */
  infer(request: InferenceRequest, options: { readonly signal: AbortSignal }): AsyncIterable<InferenceEvent>
  /**
   * Counts what a conversation takes, for the group's own model; its fallbacks may count otherwise.
   * Where the model's tokenizer is not known, or fails, the result is an estimate. Calls no
   * provider. Texts that were counted before cost next to nothing. @throws {@link
   * modelGroupUnknownError}; an abort throws the signal's reason.
   */
  countTokens(request: TokenCountRequest, options?: TokenCountOptions): Promise<TokenCount>
  /**
   * Makes vectors of texts, with the retries of the group. Another model would give vectors of
   * another space, so only those of the group's fallbacks are asked that name the same model at
   * another connection. Counts for the user like any call. @throws {@link
   * embeddingUnavailableError}, and what {@link infer} throws; an abort throws the signal's reason.
   */
  embed(request: EmbedRequest, options: { readonly signal: AbortSignal }): Promise<Embedding>
}

/** The one way to call a model. Provided by `feature-inference`. */
export const inferenceService = defineServiceReference<Inference>()('inference')

/** Neither the wanted group nor `primary` exists. `known` names the groups that do. */
export const modelGroupUnknownError = defineError<{ readonly group: string; readonly known: readonly string[] }>({
  code: 'model_group_unknown',
  status: 409,
  title: 'No such model group',
  message: ({ group, known }) =>
    `Model group “${group}” does not exist. ${known.length === 0 ? 'No group is configured: set one up under models, or give the service a key such as OPENAI_API_KEY.' : `Known groups: ${known.join(', ')}.`}`,
})

/**
 * A group cannot be called as it is configured; `reason` says what to change. Nothing was sent, and
 * a retry does not help.
 */
export const modelGroupUnusableError = defineError<{ readonly group: string; readonly reason: string }>({
  code: 'model_group_unusable',
  status: 409,
  title: 'Model group cannot be called',
  message: ({ group, reason }) => `The model group “${group}” cannot be called: ${reason}`,
})

/**
 * No model of the group can carry a part of the request. `param` names that part as the request's
 * member, `reason` says for which model and what to do. Nothing was sent.
 */
export const requestUnsupportedError = defineError<{ readonly group: string; readonly param: string; readonly reason: string }>({
  code: 'unsupported_by_model',
  status: 400,
  title: 'Not supported by the model',
  message: ({ group, reason }) => `The model group “${group}” cannot serve this request: ${reason}`,
})

/**
 * The key of a connection is a reference to an environment variable that is not set (`variable`),
 * or there is none at all. Nothing was sent.
 */
export const credentialMissingError = defineError<{ readonly connection: string; readonly variable?: string }>({
  code: 'credential_missing',
  status: 409,
  title: 'Credential missing',
  message: ({ connection, variable }) =>
    variable === undefined
      ? `The connection “${connection}” has no key. Set providers.${connection}.api_key.`
      : `The connection “${connection}” needs the environment variable ${variable}, which is not set.`,
})

/**
 * No group makes vectors, or its adapter cannot; `reason` says what to change. A caller that can do
 * without vectors goes on.
 */
export const embeddingUnavailableError = defineError<{ readonly group: string; readonly reason: string }>({
  code: 'embedding_unavailable',
  status: 409,
  title: 'Texts cannot be embedded',
  message: ({ group, reason }) => `The model group “${group}” cannot embed texts: ${reason}`,
})

/**
 * The managed credential of a connection cannot be used: it was deleted, belongs to another brand,
 * needs a new sign-in, or cannot be read. `reason` says which, and what to do. Nothing was sent.
 */
export const credentialUnusableError = defineError<{ readonly connection: string; readonly reason: string }>({
  code: 'credential_unusable',
  status: 409,
  title: 'Credential cannot be used',
  message: ({ connection, reason }) => `The connection “${connection}” cannot sign its calls: ${reason}`,
})

/**
 * The reason to abort a call with that is made again once the service is back: nothing of it counts
 * for the user. Any other abort in the middle of an answer counts, by an estimate of the prompt and
 * of what came.
 */
export const callInterruptedError = defineError<Record<string, never>>({
  code: 'call_interrupted',
  status: 503,
  title: 'Service stopping',
  message: () => 'The service is stopping. It repeats the call after it has started again.',
})

/** A user's budget is used up. Calls under way were completed. */
export const budgetExceededError = defineError<{
  readonly period: 'day' | 'month'
  readonly limit: string
  readonly used: string
  readonly ends_at: string
}>({
  code: 'budget_exceeded',
  status: 402,
  title: 'Budget used up',
  message: ({ period, limit, used, ends_at: endsAt }) =>
    `The budget of this ${period} is used up: ${used} of ${limit}. It resets at ${endsAt}; an administrator can raise it.`,
})
