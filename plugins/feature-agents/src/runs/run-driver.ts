import { type Logger, ServiceError } from '@agent-service/sdk'
import type { ModelTurn } from './model-turn.js'
import { type NextAction, planNext } from './plan-next.js'
import type { RunFailure } from './run.js'
import { endingTransition, type RunEnding } from './run-ending.js'
import { joinTransitions, type RunLog, runSupersededError } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import type { ToolTurn } from './tool-turn.js'
import { describeFailure } from './turn-records.js'

/** Drives one run from where its log ends to its end, or until it is cancelled or parked. */
export interface RunDriver {
  /** Resolves when the run has ended, was parked, or belongs to another driver. Rejects only when the store does. */
  drive(session: RunSession): Promise<void>
  /** Ends a run that cannot be driven, with the reason. */
  refuse(session: RunSession, failure: RunFailure): Promise<void>
}

export function createRunDriver(dependencies: {
  readonly log: RunLog
  readonly modelTurn: ModelTurn
  readonly toolTurn: ToolTurn
  readonly limits: { readonly maxToolTurns: number }
  readonly logger: Logger
}): RunDriver {
  const { log, modelTurn, toolTurn, limits, logger } = dependencies

  const finish = async (session: RunSession, ending: RunEnding): Promise<void> => {
    const settled = await toolTurn.settle(session)
    const end = endingTransition(session, ending)
    await advance(session, log, settled ? joinTransitions(settled, end) : end)
  }

  const step = async (session: RunSession, action: Exclude<NextAction, { kind: 'done' }>): Promise<void> => {
    switch (action.kind) {
      case 'start':
        return modelTurn.take(session, { kind: 'call-model', turn: 0, withTools: limits.maxToolTurns > 0 }, { first: true })
      case 'call-model':
        return modelTurn.take(session, action, { first: false })
      case 'run-tools':
        return toolTurn.run(session, action)
      case 'answer-tools':
        return toolTurn.answer(session, action)
      case 'finish':
        return action.status === 'completed'
          ? finish(session, { status: 'completed' })
          : finish(session, { status: 'failed', failure: { code: action.code, message: action.message } })
    }
  }

  /** Takes one step after the other until the run has ended or is to stop. */
  const advanceToEnd = async (session: RunSession): Promise<'ended' | 'stopped'> => {
    while (!session.signal.aborted) {
      const { announced } = session
      session.announced = undefined
      if (announced) {
        await modelTurn.make(session, announced)
        continue
      }
      const action = planNext(session.steps, limits)
      if (action.kind === 'done') return 'ended'
      await step(session, action)
    }
    return planNext(session.steps, limits).kind === 'done' ? 'ended' : 'stopped'
  }

  const stop = async (session: RunSession): Promise<void> => {
    if (session.stopCause() === 'cancel') await finish(session, { status: 'cancelled' })
    // A stop in order is no crash.
    else if (session.run.attempts > 0)
      session.run = await log.append(session.run, { steps: [], run: () => ({ attempts: 0, lease_until: null }) })
  }

  const orSuperseded = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!runSupersededError.isInstance(error)) throw error
    }
  }

  const drive = async (session: RunSession): Promise<void> => {
    try {
      if ((await advanceToEnd(session)) === 'ended') return
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
    refuse: (session, failure) => orSuperseded(finish(session, { status: 'failed', failure })),
    drive: (session) => orSuperseded(drive(session)),
  }
}
