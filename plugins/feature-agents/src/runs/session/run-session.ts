import type { ModelMessage, ReasoningPart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { ToolCaller } from '@agent-service/sdk/contracts/tool'
import type { Account, Accounts } from '@agent-service/sdk/services/accounts'
import type { AnswerFallback, LostCall } from '@agent-service/sdk/services/inference'
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

/** The end of what a call has printed so far. `offset`: where it begins in the whole output. */
export interface ShownOutput {
  readonly offset: number
  readonly text: string
}

/** A driver's view of its run: a copy of the stored state, and the growing message. */
export interface RunSession {
  run: Run
  readonly steps: RunStepBody[]
  readonly agent: Agent
  /** The other agents for which the run works, as tools see them. */
  readonly callers: readonly ToolCaller[]
  /** The run as last read. */
  account: Account
  /** Model calls lost in a crash of an earlier process, until the next call reports them. */
  lostCalls: readonly LostCall[]
  /** An announced model call, which is made next. */
  announced: AnnouncedCall | undefined
  /** The conversation as the model sees it, loaded once and updated by the driver. */
  history: ModelMessage[] | undefined
  live: LiveMessage | undefined
  /** The content so far of a stopped answer. */
  partial: readonly (TextPart | ReasoningPart)[]
  /** Which model answers in place of the wanted one, in the call in progress and for {@link partial}. */
  fallback?: AnswerFallback | undefined
  /** Whether a model makes the title of the chat after its first answer. */
  readonly makesTitle: boolean
  /** Set once the end of the run has left a title to make. */
  titleDue: boolean
  /** Throttles the deltas of this run. The creator of the session closes it. */
  readonly throttle: DeltaThrottle
  /** The newest output of the calls in progress, by the id of the call. */
  readonly outputs: Map<string, ShownOutput>
  /** The span of the run, if it is traced. */
  span?: TraceContext
  /** Aborted by a cancel or a stop of the plugin. */
  readonly signal: AbortSignal
  /** The cause of the stop, after the signal was aborted. */
  readonly stopCause: () => StopCause | undefined
  /**
   * Called when the run begins to wait for its model or a tool, so that other runs can start
   * meanwhile.
   */
  readonly reportUnderWay: () => void
}

/** For whom stored messages become a prompt. */
export const readerOf = ({ account, agent }: RunSession): { readonly timezone: string; readonly workspace: string } => ({
  timezone: account.timezone,
  workspace: agent.workspace,
})

/**
 * Writes a transition of a session's run and updates the session. One at a time. After
 * `run_input_waiting`, the session has the new input.
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

/**
 * Reads the user's account again, so that their changes apply from now on. A closed account stays
 * as it was.
 */
export async function refreshAccount(session: RunSession, accounts: Pick<Accounts, 'get'>): Promise<void> {
  session.account = (await accounts.get(session.run.user_id)) ?? session.account
}
