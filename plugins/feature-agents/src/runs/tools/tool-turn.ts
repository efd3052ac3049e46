import { type NextAction, openToolTurn } from '../log/plan-next.js'
import { inputWaitingError } from '../log/run-log.js'
import { joinTransitions, type Transition } from '../log/transition.js'
import { advance, type RunSession } from '../session/run-session.js'
import { callsOf, confirmed, currentOpenCalls, decideCalls, isOpenQuestion, recordDeclined } from './decide-calls.js'
import { runTogether } from './perform-calls.js'
import { answeredTransition, notRun, type OpenCall, resultsOf, resultTransition, stopped } from './tool-calls.js'
import type { ToolTurnDependencies } from './tool-turn-dependencies.js'

/** How many calls of one turn run in parallel. */
const maxParallelCalls = 16

/**
 * The tool calls of one turn: each is decided on, announced before it runs and recorded when it
 * ends.
 */
export interface ToolTurn {
  /** Runs the permitted calls. If a person has to be asked first, the run waits for them. */
  run(session: RunSession, action: Extract<NextAction, { kind: 'run-tools' }>): Promise<void>
  /**
   * Stores the results of a turn as one message, if all calls have ended but the last one ended
   * just before a crash, or without running.
   */
  answer(session: RunSession, action: Extract<NextAction, { kind: 'answer-tools' }>): Promise<void>
  /**
   * For a run that ends in the middle of its tool calls: a result for every call, so that completed
   * calls are kept and unknown outcomes are marked. `undefined` if there is nothing to settle.
   */
  settle(session: RunSession): Promise<Transition | undefined>
}

export function createToolTurn(dependencies: ToolTurnDependencies): ToolTurn {
  return {
    run: (session, action) => run(dependencies, session, action),
    async answer(session, { turn }) {
      const content = resultsOf(session, new Map())
      await advance(session, dependencies.log, answeredTransition(session, turn, content))
      session.history?.push({ role: 'tool', content })
    },
    settle: (session) => settle(dependencies, session),
  }
}

async function run(
  dependencies: ToolTurnDependencies,
  session: RunSession,
  action: Extract<NextAction, { kind: 'run-tools' }>,
): Promise<void> {
  const { agentTools, person } = dependencies
  const known = await callsOf(dependencies, action.calls)
  await agentTools?.refresh(session.agent, session.signal)
  await decideCalls(dependencies, session, known)
  const asked = currentOpenCalls(session, known).filter(isOpenQuestion)
  try {
    if (asked.length > 0)
      await person.takeAnswers(
        session,
        asked.map(({ pending }) => pending),
      )
    await recordDeclined(dependencies, session, currentOpenCalls(session, known))
    await runReady(dependencies, session, currentOpenCalls(session, known))
  } catch (error) {
    // An answer came meanwhile: the next pass takes it in.
    if (!inputWaitingError.isInstance(error)) throw error
  }
}

/**
 * Runs the calls that may begin now. If a person is being asked about the rest, the run waits for
 * them.
 */
async function runReady(dependencies: ToolTurnDependencies, session: RunSession, calls: readonly OpenCall[]): Promise<void> {
  const { runner, person } = dependencies
  const planned = openToolTurn(session.steps)?.planned ?? calls.length
  const together = runner.mayRunTogether(
    session.agent,
    calls.map(({ call }) => call.name),
  )
  // In a sequence, no call overtakes one about which a person is being asked.
  const firstOpen = calls.findIndex(isOpenQuestion)
  const ready = together || firstOpen === -1 ? calls.filter((call) => !isOpenQuestion(call)) : calls.slice(0, firstOpen)
  const size = together ? maxParallelCalls : 1
  for (let start = 0; start < ready.length; start += size) {
    session.signal.throwIfAborted()
    const next = await confirmed(dependencies, session, ready.slice(start, start + size), start > 0)
    if (next.length > 0) await runTogether(dependencies, session, next, planned)
  }
  if (firstOpen !== -1) await person.rest(session)
}

async function settle(dependencies: ToolTurnDependencies, session: RunSession): Promise<Transition | undefined> {
  const { runner, person } = dependencies
  const open = openToolTurn(session.steps)
  if (!open) return undefined
  const settled = (await callsOf(dependencies, open.calls)).map(({ pending, call }) => ({
    pending,
    result: pending.state === 'started' ? stopped(call, runner.effectOf(session.agent, call.name) !== 'read') : notRun(call),
  }))
  const content = resultsOf(session, new Map(settled.map(({ pending, result }) => [pending.call_id, result])))
  return [
    ...settled.map(({ pending, result }) => resultTransition(pending, result)),
    answeredTransition(session, open.turn, content),
    person.withdraw(open.calls.filter((pending) => pending.state === 'asked')),
  ].reduce(joinTransitions)
}
