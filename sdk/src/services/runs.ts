import type { Disposer } from '../core/disposer.js'
import { defineError, type Problem } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { Run, RunReport } from '../runs/run.js'
import type { RunEvent } from '../runs/run-event.js'
import type { StartedRun, StartRunRequest } from '../runs/start-run.js'

export * from '../runs/run.js'
export * from '../runs/run-event.js'
export * from '../runs/start-run.js'

/**
 * A person's answer to a `RunQuestion`: `answer` for questions, `approve_once` and `approve` for
 * approvals, `deny` for both. `approve` also allows later calls: those of `scope`, the key of one
 * of the question's scopes; by default exactly this call, if that is among them.
 */
export type RunAnswer =
  | { readonly decision: 'approve_once' | 'deny'; readonly note?: string }
  | { readonly decision: 'approve'; readonly scope?: string; readonly note?: string }
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
