import { ServiceError } from '@agent-service/sdk'
import type { Run, RunFailure } from '@agent-service/sdk/services/runs'
import type { TaskFailure } from '../store/task.js'
import type { Ending } from './end-execution.js'

/** Kinds of failures of a model call after which the same call may succeed later. */
const passing: ReadonlySet<string> = new Set(['rate_limited', 'overloaded', 'transport', 'timeout', 'invalid_response', 'truncated'])
/** Codes of the run service that only say that there is no room now. */
const noRoom: ReadonlySet<string> = new Set(['too_many_runs', 'overloaded', 'limit_reached', 'conflict'])
/** How long what found no room waits, in seconds. */
const noRoomSeconds = 15

const sentences: Readonly<Record<string, (message: string) => TaskFailure>> = {
  agent_not_found: () => ({
    code: 'task_agent_gone',
    message: 'The agent of this task was deleted or disabled. Choose another agent for the task, or enable it again.',
  }),
  agent_gone: () => ({
    code: 'task_agent_gone',
    message: 'The agent of this task was deleted while it was at work. Choose another agent for the task.',
  }),
  no_agent: () => ({ code: 'task_agent_gone', message: 'There is no enabled agent for this task. Choose one.' }),
  user_not_found: () => ({ code: 'task_owner_gone', message: 'The account of this task’s owner is closed or disabled.' }),
  account_closed: () => ({ code: 'task_owner_gone', message: 'The account of this task’s owner is closed.' }),
  run_result_invalid: (message) => ({
    code: 'task_result_invalid',
    message: `The agent’s result did not have the form that the task asks for: ${message}`,
  }),
  run_overdue: (message) => ({ code: 'task_timed_out', message: `The task did not end in its time: ${message}` }),
  forbidden: (message) => ({ code: 'task_forbidden', message }),
  run_forbidden: () => ({
    code: 'task_forbidden',
    message:
      'The policies of this service do not let the agent that created this task, or one for which that one worked, ask the agent of the task.',
  }),
}

/** A failure of a run in the words of the task. */
export function taskFailureOf({ code, message, providerFailure }: RunFailure): TaskFailure {
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  if (known) return known(message)
  if (providerFailure !== undefined || code === 'provider_error')
    return { code: 'task_model_failed', message: `The model could not be called: ${message}` }
  return { code, message }
}

/** The end that a failed run means. */
export function endingOfFailure({ failure, ...run }: Run): Ending {
  const reason = failure ?? { code: 'internal_error', message: 'The run failed without a reason.' }
  const canRetry = reason.providerFailure !== undefined && passing.has(reason.providerFailure)
  return {
    state: 'failed',
    failure: taskFailureOf(reason),
    run: { ...run, failure },
    ...(canRetry ? { retry: { afterSeconds: reason.retryAfterSeconds ?? 0, isCounted: true } } : {}),
  }
}

/** The end that an error of a start means. */
export function endingOfError(error: unknown): Ending {
  if (!ServiceError.isInstance(error)) return internal
  const { code, message, status, retryAfterSeconds = noRoomSeconds } = error
  // Its parent ended first, so nobody wants it any more.
  if (code === 'run_request_invalid' && message.includes('/parent/runId'))
    return { state: 'cancelled', failure: { code: 'task_parent_ended', message: 'The task that waited for this one has ended.' } }
  if (code === 'not_found')
    return { state: 'failed', failure: { code: 'task_run_gone', message: 'The chat of this task was deleted while it was at work.' } }
  const failure = taskFailureOf({ code, message: status >= 500 && code !== 'overloaded' ? internal.failure.message : message })
  if (noRoom.has(code)) return { state: 'failed', failure, retry: { afterSeconds: retryAfterSeconds, isCounted: false } }
  return { state: 'failed', failure, ...(status >= 500 ? { retry: { afterSeconds: noRoomSeconds, isCounted: true } } : {}) }
}

const internal = {
  state: 'failed',
  failure: { code: 'internal_error', message: 'An internal error occurred. The cause is in the service log.' },
} as const
