import type { ModelMessage, ReasoningPart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Account, Accounts } from '@agent-service/sdk/services/accounts'
import type { LostCall } from '@agent-service/sdk/services/inference'
import type { TraceContext } from '@agent-service/sdk/services/telemetry'
import type { Agent } from '../../store/agents/agent.js'
import type { AnnouncedCall } from '../../store/runs/fresh-run.js'
import type { Run } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'
import { inputWaitingError, type RunLog } from '../log/run-log.js'
import type { Transition } from '../log/transition.js'
import type { DeltaThrottle } from '../streaming/delta-throttle.js'
import type { LiveMessage } from '../streaming/live-message.js'

/** Why a driver stops before the run has ended. */
export type StopCause = 'cancel' | 'park' | 'overdue'

/** What a driver knows of the run that it drives: a copy of what is stored, and the message that grows. */
export interface RunSession {
  run: Run
  readonly steps: RunStepBody[]
  readonly agent: Agent
  /** As it was read last. */
  account: Account
  /** Model calls that went down with an earlier process, until the next one tells of them. */
  lostCalls: readonly LostCall[]
  /** A model call that is announced and is to be made next. */
  announced: AnnouncedCall | undefined
  /** The conversation as the model sees it, loaded once and kept up by the driver. */
  history: ModelMessage[] | undefined
  live: LiveMessage | undefined
  /** What an answer that was stopped had come to. */
  partial: readonly (TextPart | ReasoningPart)[]
  /** Gives the deltas of this run their turns. Whoever made the session closes it. */
  readonly throttle: DeltaThrottle
  /** The span of the run, while one is made of it. */
  span?: TraceContext
  /** Aborted by a cancel or a stop of the plugin. */
  readonly signal: AbortSignal
  /** Says which, once the signal is aborted. */
  readonly stopCause: () => StopCause | undefined
  /** Called whenever the run begins to wait for its model or a tool, so that others get the time until it goes on. */
  readonly reportUnderWay: () => void
}

/**
 * Writes a transition of a session's run and keeps the session in step with the store. One at a time. Where something came in between
 * (`run_input_waiting`), the session knows of it afterwards.
 */
export async function advance(session: RunSession, log: RunLog, transition: Transition): Promise<void> {
  try {
    session.run = await log.append(session.run, transition)
  } catch (error) {
    if (inputWaitingError.isInstance(error)) session.run = await log.current(session.run)
    throw error
  }
  session.steps.push(...transition.steps)
}

/** Reads the user's account again, so that what they have changed holds from here on. One that is closed by now stays as it was. */
export async function refreshAccount(session: RunSession, accounts: Pick<Accounts, 'get'>): Promise<void> {
  session.account = (await accounts.get(session.run.user_id)) ?? session.account
}
