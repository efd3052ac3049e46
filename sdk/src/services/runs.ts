import type { FilePart, ImagePart, ProviderFailure, StopReason, TextPart } from '../contracts/provider-adapter/index.js'
import type { Disposer } from '../core/disposer.js'
import { defineError, type Problem } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/** The status of a run. `waiting`: for a person. The last three never change. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Tokens of a run, over all its model calls. */
export interface RunUsage {
  /** Cached ones included. */
  readonly input_tokens: number
  /** Read from the vendor's cache. */
  readonly cached_input_tokens: number
  /** Reasoning included. */
  readonly output_tokens: number
  /** Spent on reasoning. */
  readonly reasoning_tokens: number
}

/** The purpose of a run, by which the feature that started it recognises it in events. */
export interface RunReport {
  /**
   * A kind of thing of the feature, as a rule with its plugin's id: `feature-tasks.task`. 1 to 100
   * characters.
   */
  readonly kind: string
  /** Which one. 1 to 200 characters. */
  readonly id: string
}

/** The run that another one belongs to. */
export interface RunParentReference {
  /** A run of the same user that has not ended. */
  readonly runId: string
  /**
   * The tool call that waits for the new run; such a run goes on in its parent's place. Default:
   * none waits.
   */
  readonly callId?: string
}

/**
 * Limits of one run. An absent one leaves the agent's; none raises the agent's or the service's.
 */
export interface RunLimits {
  /** Rounds of tool calls; 0: none. */
  readonly maxToolTurns?: number
  /** How long the run may go on at a stretch, in seconds. Waiting for a person does not count. */
  readonly maxSeconds?: number
  /** Tokens of one answer of the model. */
  readonly maxOutputTokens?: number
}

/** The form of the final answer. */
export interface RunResultSchema {
  /** For the model: letters, digits, `_` and `-`, 1 to 64. */
  readonly name: string
  /**
   * JSON Schema, at most 64 KiB as JSON. It may come from anyone: it is compiled, and answers are
   * checked, in a thread of its own, 5 seconds each at most. One that takes longer cannot be used;
   * the answer then counts as one that does not have the form.
   */
  readonly schema: JsonObject
}

/** What a run is asked to do. */
export interface StartRunRequest {
  /** The owner of the run. */
  readonly userId: string
  /**
   * Unique to the user's runs, 1 to 200 characters. The same request with the same key gives the
   * run that it started the first time, for as long as its chat is there, also after a crash.
   */
  readonly key: string
  /**
   * Default: the agent of `chat`, else the user's first enabled one. In a chat that exists it must
   * be the chat's.
   */
  readonly agent?: { readonly id: string } | { readonly handle: string }
  /**
   * The chat that it goes on in, or how the new one is. A hidden one is in no list. Without `title`
   * the message gives one. Default: a new chat that the user sees.
   */
  readonly chat?: { readonly id: string } | { readonly title?: string; readonly hidden?: boolean; readonly spaceId?: string }
  /** The message to the agent. */
  readonly message: string | readonly (TextPart | ImagePart | FilePart)[]
  /**
   * What happens in a chat with an active run. `join`: the message goes to that run, which sees it
   * before its next step, and nothing else of this request counts; `run` is then that one. Default
   * `refuse`: `run_in_progress`.
   */
  readonly ifBusy?: 'refuse' | 'join'
  /** Default: the agent's. */
  readonly modelGroup?: string
  /**
   * Which of the agent's tools it may call; a call of another one is refused. Default: all of them.
   */
  readonly tools?: readonly string[]
  /** Default: the agent's. */
  readonly limits?: RunLimits
  /**
   * The final answer must be JSON that fits. Where it does not, the model gets the problems and is
   * asked twice more; then the run fails with `run_result_invalid`. Default: free text.
   */
  readonly result?: RunResultSchema
  /** Default: none. A run whose parent has ended is cancelled. */
  readonly parent?: RunParentReference
  /** Stored with the run, and in every state event of it as `reports_to`. Default: nothing. */
  readonly reportsTo?: RunReport
}

/** Something that an agent asks a person about. */
export interface RunQuestion {
  /** The call that waits; see {@link Runs.answer}. */
  readonly callId: string
  /** Whether a call may run, or something that only the person knows. */
  readonly kind: 'approval' | 'question'
  /** What the person reads. */
  readonly text: string
  /** What they can choose from; empty: anything. */
  readonly options: readonly string[]
  /** RFC 3339, in UTC: without an answer by then the call is not made. */
  readonly expiresAt: string
}

/** Why a run failed. */
export interface RunFailure {
  /** Stable. */
  readonly code: string
  /** A sentence for people. */
  readonly message: string
  /** The kind of failure of its model call, if one failed: it says whether a repeat may succeed. */
  readonly providerFailure?: ProviderFailure
  /** When the vendor permits another call, in seconds after the failure, if it says so. */
  readonly retryAfterSeconds?: number
}

/** A run: one response of an agent. */
export interface Run {
  /** Never changes. */
  readonly id: string
  /** The chat that it answers in. */
  readonly chatId: string
  /** The agent that answers. */
  readonly agentId: string
  /** Its status. */
  readonly status: RunStatus
  /** What its model calls go through. */
  readonly modelGroup: string
  /** Why it failed. */
  readonly failure: RunFailure | null
  /** So far. */
  readonly usage: RunUsage
  /** Model calls that were completed. */
  readonly turns: number
  /** What it waits for; empty unless it is `waiting`. */
  readonly questions: readonly RunQuestion[]
  /** The value of a final answer that fits `result`; null: there is none (yet). */
  readonly result: { readonly value: JsonValue } | null
  /** See {@link StartRunRequest.parent}. `depth`: the number of runs above it, from 1. */
  readonly parent: { readonly runId: string; readonly callId: string | null; readonly depth: number } | null
  /** See {@link StartRunRequest.reportsTo}. */
  readonly reportsTo: RunReport | null
  /** RFC 3339, in UTC. */
  readonly createdAt: string
  /** Null: not yet. */
  readonly startedAt: string | null
  /** Null: not yet. */
  readonly finishedAt: string | null
}

/** The result of a start. */
export interface StartedRun {
  /** As it is now. */
  readonly run: Run
  /** The message that it answers. */
  readonly messageId: string
  /** An earlier request with this key has started it. */
  readonly repeated: boolean
}

/**
 * What happens in a run, in order. Events with a `cursor` are stored: `after` with the last one
 * that was seen gives every later one, once. What the run says is one text: the texts of its
 * messages, with an empty line between one and the next. `offset` is a place in it, in UTF-16 code
 * units.
 */
export type RunEvent =
  /** First, and again after omitted events without a cursor: the current run and its text. */
  | { readonly type: 'state'; readonly run: Run; readonly text: string; readonly reasoning: string }
  /** More of the text. */
  | { readonly type: 'text.delta'; readonly offset: number; readonly text: string }
  /** More of the reasoning, in the same way. */
  | { readonly type: 'reasoning.delta'; readonly offset: number; readonly text: string }
  /** Text was revoked: this is the whole text of the run now. */
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }
  /** A model call is made again, or later than at once. */
  | { readonly type: 'retrying'; readonly failure: string; readonly reason: string; readonly delayMs: number }
  /** It waits for a person. */
  | { readonly type: 'waiting'; readonly questions: readonly RunQuestion[] }
  /** It goes on: its first step is stored. */
  | { readonly type: 'started'; readonly cursor: string; readonly at: string }
  /** A message of the model is whole, or as whole as it will be (`partial`). */
  | {
      readonly type: 'message'
      readonly cursor: string
      readonly at: string
      readonly messageId: string
      readonly turn: number
      readonly partial: boolean
      readonly text: string
      readonly reasoning: string
    }
  /**
   * A tool call begins. `purpose`: a sentence for people, absent where the event is read from the
   * store.
   */
  | {
      readonly type: 'tool.started'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly name: string
      readonly purpose?: string
    }
  /** A tool call has its result. */
  | {
      readonly type: 'tool.finished'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly name: string
      readonly isError: boolean
    }
  /** A person is asked about a call. */
  | {
      readonly type: 'question.asked'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly kind: 'approval' | 'question'
    }
  /** The outcome of the question. */
  | {
      readonly type: 'question.resolved'
      readonly cursor: string
      readonly at: string
      readonly callId: string
      readonly outcome: 'approved' | 'denied' | 'answered' | 'expired' | 'withdrawn'
    }
  /**
   * A final answer did not fit `result`, and the model is asked again. `problems` is what it read.
   */
  | { readonly type: 'result.refused'; readonly cursor: string; readonly at: string; readonly problems: string }
  /**
   * Last: the run has ended. `stopReason`: why the model stopped the last time; `stop` if it did
   * not come to that.
   */
  | {
      readonly type: 'finished'
      readonly cursor: string
      readonly at: string
      readonly run: Run
      readonly text: string
      readonly reasoning: string
      readonly stopReason: StopReason
    }

/**
 * A person's answer to a {@link RunQuestion}: `answer` for questions, `approve` for approvals,
 * `deny` for both.
 */
export type RunAnswer =
  | { readonly decision: 'approve' | 'deny'; readonly note?: string }
  /** 1 to 20,000 characters. */
  | { readonly decision: 'answer'; readonly answer: string }

/**
 * Which runs of a user, the oldest first. At most one of `chatId`, `parentRunId` and `reportsTo`.
 */
export interface ListRunsRequest {
  /** Whose runs. */
  readonly userId: string
  /** Only those that have not ended. Default false. */
  readonly open?: boolean
  /** Only those of a chat. */
  readonly chatId?: string
  /** Only those that belong to a run. */
  readonly parentRunId?: string
  /** Only those that report to this. */
  readonly reportsTo?: RunReport
  /** 1 to 200, default 50. With `open` a page may hold fewer. */
  readonly limit?: number
  /** `nextCursor` of the page before, of the same request. */
  readonly cursor?: string
}

/** One page of runs. */
export interface RunPage {
  /** In the order in which they were started; with only `open`, grouped by status. */
  readonly items: readonly Run[]
  /** Absent on the last page. */
  readonly nextCursor?: string
}

/** A run that waits for a person. */
export interface WaitingRun {
  /** The owner of the run. */
  readonly userId: string
  /** Which one. */
  readonly runId: string
  /** What it reports to. */
  readonly reportsTo: RunReport
}

/** What a feature does when one of its runs waits for a person, and before that run goes on. */
export interface RunGate {
  /** The run waits, and does nothing until {@link goingOn} resolves. Called again after a restart. */
  waiting(run: WaitingRun): Promise<void>
  /**
   * A question was answered or has expired: the run goes on when this resolves. Called again a few
   * seconds after it rejected, and after a restart. The signal is aborted when the run ends or the
   * service stops.
   */
  goingOn(run: WaitingRun, options: { readonly signal: AbortSignal }): Promise<void>
}

/**
 * The only way to run an agent. Every method is for one user, and a run of another one does
 * not exist for it.
 *
 * @example
 * const runs = context.use(runsService)
 * const { run } = await runs.start({ userId, key: 'daily-2026-11-23', message: 'Plan my day.' })
 * for await (const event of runs.watch({ userId, runId: run.id }, { signal }))
 *   if (event.type === 'finished') context.log.info('The run ended.', { status: event.run.status })
 */
export interface Runs {
  /**
   * Stores the message and the run that answers it, in one transaction, and returns without waiting
   * for the answer. Everything is checked before anything is written. @throws
   * {@link userUnknownError}, `agent_not_found`, `no_agent`, `not_found` (chat, space, parent),
   * `model_group_unknown`, {@link runRequestInvalidError}, {@link runTooDeepError},
   * {@link runForbiddenError}, {@link runKeyReusedError}, `run_in_progress`, `run_inbox_full`,
   * `too_many_runs`, `message_too_long`, `forbidden` if the policies forbid the user
   * `createMessage`, or `createChat` for a chat that is not hidden; an abort before the commit
   * throws the signal's reason.
   */
  start(request: StartRunRequest, options?: { readonly signal?: AbortSignal }): Promise<StartedRun>
  /** One run. @throws `not_found`. */
  get(request: { readonly userId: string; readonly runId: string }): Promise<Run>
  /** Runs of a user. @throws `cursor_invalid`, {@link runRequestInvalidError}. */
  list(request: ListRunsRequest): Promise<RunPage>
  /**
   * Follows a run until it has ended: its state, the stored events after `after` (default: all),
   * and all later events. Leaving, aborting or reading too slowly changes nothing in the run.
   * @throws `not_found`, {@link runCursorInvalidError}, {@link runWatchInterruptedError} when this
   * process stops, the signal's reason.
   */
  watch(
    request: { readonly userId: string; readonly runId: string; readonly after?: string },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<RunEvent>
  /**
   * Asks a run to stop and waits until it has, 10 seconds at most; one that has ended stays as it
   * is. @throws `not_found`.
   */
  cancel(request: { readonly userId: string; readonly runId: string }, options: { readonly signal: AbortSignal }): Promise<Run>
  /**
   * Answers what a run asks, in the name of the user; the run goes on. The same answer again
   * changes nothing. @throws `not_found`, `invalid_request`, `approval_resolved`,
   * `approval_expired`, `approval_withdrawn`.
   */
  answer(request: { readonly userId: string; readonly runId: string; readonly callId: string } & RunAnswer): Promise<Run>
  /**
   * Guards all runs that report to a kind, those that wait already too: one that has waited for a
   * person goes on only when the gate lets it, also after a restart. Returns what removes the gate.
   * A second gate for a kind replaces the first.
   */
  gate(kind: string, gate: RunGate): Disposer
}

/** The runs of the users. Provided by `feature-agents`. */
export const runsService = defineServiceReference<Runs>()('runs')

/** The user does not exist, or the account is disabled. Nothing was written. */
export const userUnknownError = defineError<{ readonly userId: string }>({
  code: 'user_not_found',
  status: 404,
  title: 'No such user',
  message: ({ userId }) => `User ${userId} does not exist or is disabled, so nothing can run in their name.`,
})

/**
 * The request contradicts itself or the agent. Each problem has its path in the request. Nothing
 * was written.
 */
export const runRequestInvalidError = defineError<{ readonly problems: readonly Problem[] }>({
  code: 'run_request_invalid',
  status: 400,
  title: 'Invalid run request',
  message: ({ problems }) => problems.map(({ path, message }) => `${path}: ${message}`).join('; '),
})

/** The same key with another request. Nothing was written. */
export const runKeyReusedError = defineError<{ readonly key: string }>({
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  message: ({ key }) => `The key “${key}” has already started a different run. Use a new key for each run.`,
})

/** The chain of parent runs is too deep. Nothing was written. */
export const runTooDeepError = defineError<{ readonly depth: number; readonly max: number }>({
  code: 'run_too_deep',
  status: 409,
  title: 'Too many runs below each other',
  message: ({ depth, max }) =>
    `The run would be ${depth} levels below the first one; at most ${max} are allowed. Do the work in the parent run.`,
})

/**
 * The policies of the service do not let the agent of the parent hand work to this agent. Nothing
 * was written.
 */
export const runForbiddenError = defineError<{ readonly agent: string }>({
  code: 'run_forbidden',
  status: 403,
  title: 'Not allowed',
  message: ({ agent }) => `The policies of this service do not let the agent of the parent run hand work to “${agent}”.`,
})

/** `after` is not a cursor of this run. */
export const runCursorInvalidError = defineError<{ readonly cursor: string }>({
  code: 'run_cursor_invalid',
  status: 400,
  title: 'No such cursor',
  message: ({ cursor }) => `“${cursor}” is not a cursor of this run. Watch without “after” to see the whole run.`,
})

/** The process that watches is stopping. The run goes on at the next start. */
export const runWatchInterruptedError = defineError<{ readonly runId: string }>({
  code: 'run_interrupted',
  status: 503,
  title: 'Service stopping',
  message: ({ runId }) => `The service is stopping. Run ${runId} continues after the restart: watch it again from the last cursor.`,
})
