import { type Logger, ServiceError } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { RunFailure } from '../../store/runs/run.js'
import { type NextAction, planNext, takesInput } from '../log/plan-next.js'
import { inputWaitingError, type RunLog, runSupersededError } from '../log/run-log.js'
import { joinTransitions } from '../log/transition.js'
import { describeFailure } from '../log/turn-records.js'
import { endingTransition, type RunEnding } from '../session/run-ending.js'
import { advance, type RunSession } from '../session/run-session.js'
import { maxMs } from '../session/run-stopping.js'
import type { ToolTurn } from '../tools/tool-turn.js'
import type { CompactionTurn } from '../turns/compaction-turn.js'
import type { InputTurn } from '../turns/input-turn.js'
import type { ModelTurn } from '../turns/model-turn.js'

/** Drives one run from the end of its log until it ends, is cancelled or is parked. */
export interface RunDriver {
  /**
   * Resolves when the run has ended, waits for a person, was parked, or belongs to another driver.
   * Rejects only with an error of the store.
   */
  drive(session: RunSession): Promise<void>
  /** Ends a run that cannot be driven, with the reason. */
  refuse(session: RunSession, failure: RunFailure): Promise<void>
}

export function createRunDriver(dependencies: {
  readonly log: RunLog
  readonly modelTurn: ModelTurn
  readonly toolTurn: ToolTurn
  readonly compactionTurn: CompactionTurn
  readonly inputTurn: InputTurn
  readonly accounts: Pick<Accounts, 'get'>
  readonly limits: { readonly maxToolTurns: number }
  readonly logger: Logger
}): RunDriver {
  const { log, modelTurn, toolTurn, compactionTurn, inputTurn, accounts, limits, logger } = dependencies

  const limitsOf = ({ agent }: RunSession): { readonly maxToolTurns: number } => ({
    maxToolTurns: Math.min(limits.maxToolTurns, agent.limits.max_tool_turns ?? limits.maxToolTurns),
  })

  const finish = async (session: RunSession, ending: RunEnding): Promise<void> => {
    const settled = await toolTurn.settle(session)
    const end = endingTransition(session, ending)
    await advance(session, log, settled ? joinTransitions(settled, end) : end)
  }

  const step = async (session: RunSession, action: Exclude<NextAction, { kind: 'done' }>): Promise<void> => {
    switch (action.kind) {
      case 'start':
        return modelTurn.take(session, { kind: 'call-model', turn: 0, withTools: limitsOf(session).maxToolTurns > 0 }, { first: true })
      case 'call-model':
        return modelTurn.take(session, action, { first: false })
      case 'compact':
        return compactionTurn.take(session, action)
      case 'run-tools':
        return toolTurn.run(session, action)
      case 'answer-tools':
        return toolTurn.answer(session, action)
      case 'finish':
        return action.status === 'completed'
          ? continueOnInput(finish(session, session.run.terms?.result ? { status: 'failed', failure: noResult } : { status: 'completed' }))
          : finish(session, { status: 'failed', failure: { code: action.code, message: action.message } })
    }
  }

  /** Lets the run continue if a person has written to it meanwhile. */
  const continueOnInput = async (end: Promise<void>): Promise<void> => {
    try {
      await end
    } catch (error) {
      if (!inputWaitingError.isInstance(error)) throw error
    }
  }

  /** Whether the account was disabled or deleted since the run began: no further step is taken for it. */
  const isClosed = async ({ run }: RunSession): Promise<boolean> => (await accounts.get(run.user_id)) === undefined

  /** Takes one step after the other until the run ends, waits for a person, or must stop. */
  const advanceToEnd = async (session: RunSession): Promise<'ended' | 'waiting' | 'stopped'> => {
    while (!session.signal.aborted) {
      if (session.run.status === 'waiting') return 'waiting'
      if (session.run.cancel_requested_at !== null) return 'stopped'
      const { announced } = session
      session.announced = undefined
      if (announced) {
        await modelTurn.make(session, announced)
        continue
      }
      const action = planNext(session.steps, limitsOf(session))
      if (action.kind === 'done') return 'ended'
      if (action.kind !== 'finish' && (await isClosed(session))) {
        await finish(session, { status: 'failed', failure: accountClosed })
        return 'ended'
      }
      if (takesInput(action) && session.run.inbox.length > 0) await inputTurn.take(session)
      else await step(session, action)
    }
    return planNext(session.steps, limitsOf(session)).kind === 'done' ? 'ended' : 'stopped'
  }

  const stop = async (session: RunSession): Promise<void> => {
    // Another process may have requested the cancel, which shows with the next step.
    const cause = session.stopCause() ?? (session.run.cancel_requested_at === null ? undefined : 'cancel')
    if (cause === 'cancel') await finish(session, { status: 'cancelled' })
    else if (cause === 'overdue') await finish(session, { status: 'failed', failure: overdueFailure(session) })
    // An orderly stop does not count as a crash.
    else if (session.run.attempts > 0)
      session.run = await log.append(session.run, { steps: [], run: () => ({ attempts: 0, driver: null }) })
  }

  const ignoreSuperseded = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!runSupersededError.isInstance(error)) throw error
    }
  }

  const drive = async (session: RunSession): Promise<void> => {
    try {
      if ((await advanceToEnd(session)) !== 'stopped') return
    } catch (error) {
      if (runSupersededError.isInstance(error)) throw error
      if (!session.signal.aborted) {
        if (ServiceError.isInstance(error) && error.code === 'database_closed') return
        logger.error('A run failed inside the service.', { run_id: session.run.id, error })
        await finish(session, { status: 'failed', failure: describeFailure(error) })
        return
      }
      if (error !== session.signal.reason)
        logger.error('A run failed inside the service while it was being stopped.', { run_id: session.run.id, error })
    }
    await stop(session)
  }

  return {
    refuse: (session, failure) => ignoreSuperseded(finish(session, { status: 'failed', failure })),
    drive: (session) => ignoreSuperseded(drive(session)),
  }
}

/** The account of a run was disabled or deleted. */
export const accountClosed: RunFailure = { code: 'account_closed', message: 'The account of this chat is closed.' }

/** A run that must return a result completes with its answer, never after it. */
const noResult: RunFailure = {
  code: 'run_result_invalid',
  message: 'The run ended without an answer in the requested form.',
}

function overdueFailure({ agent }: RunSession): RunFailure {
  return {
    code: 'run_overdue',
    message: `The run took longer than ${Math.round(maxMs({ agent }) / 60_000)} minutes and was stopped. Its work so far is kept. Raise limits.max_run_secs to give the agent “${agent.name}” more time.`,
  }
}
