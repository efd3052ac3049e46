import type { EffectClass } from '@agent-service/sdk/contracts/tool'
import { createCallMask } from '../../points/hooks/call-mask.js'
import { hookContextOf } from '../../points/hooks/run-ended.js'
import { openToolTurn, type PendingCall } from '../log/plan-next.js'
import { joinTransitions } from '../log/transition.js'
import { advance, type RunSession, refreshAccount } from '../session/run-session.js'
import { answeredTransition, type CallOutcome, type OpenCall, placeOf, resultsOf, resultTransition } from './tool-calls.js'
import { createToolOutput } from './tool-output.js'
import { createToolProgress } from './tool-progress.js'
import { readResultName } from './tool-results.js'
import type { ToolTurnDependencies } from './tool-turn-dependencies.js'

/**
 * Runs calls in parallel: all are announced first, and each is recorded when it ends. A restart in
 * place waits for calls that can neither be interrupted nor repeated; none begins before one.
 */
export async function runTogether(
  dependencies: ToolTurnDependencies,
  session: RunSession,
  calls: readonly OpenCall[],
  planned: number,
): Promise<void> {
  const { runner, restarts } = dependencies
  const mayBeRepeated = calls.every(({ call }) => repeatable.has(runner.effectOf(session.agent, call.name)))
  const release = mayBeRepeated ? undefined : await restarts?.hold(session.signal)
  try {
    await runHeld(dependencies, session, calls, planned)
  } finally {
    void release?.()
  }
}

/** What a call of these tools has done is the same after it was begun twice. */
const repeatable: ReadonlySet<EffectClass> = new Set(['read', 'idempotent'])

async function runHeld(
  dependencies: ToolTurnDependencies,
  session: RunSession,
  calls: readonly OpenCall[],
  planned: number,
): Promise<void> {
  // An earlier call may have changed the account.
  await refreshAccount(session, dependencies.accounts)
  await begin(dependencies, session, calls)
  session.reportUnderWay()
  // Recorded one after the other, in the order in which they end. An error in recording one does
  // not affect the others.
  let recording: Promise<void> = Promise.resolve()
  const ended = await Promise.allSettled(
    calls.map(async (call) => {
      const result = await runOne(dependencies, session, call, planned)
      const recorded = recording.then(() => record(dependencies, session, call, result))
      recording = recorded.catch(() => undefined)
      await recorded
    }),
  )
  const failure = ended.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}

/** Announces the calls that were not announced before. */
async function begin({ log, runner }: ToolTurnDependencies, session: RunSession, calls: readonly OpenCall[]): Promise<void> {
  const fresh = calls.filter(({ pending }) => pending.state !== 'started')
  if (fresh.length === 0) return
  const purposes = new Map<string, string>()
  for (const { call } of fresh) purposes.set(call.call_id, await runner.purpose(call, session))
  await advance(session, log, {
    steps: fresh.map(({ pending }) => ({ type: 'tool.started', call_id: pending.call_id, name: pending.name })),
    events: () =>
      fresh.map(({ pending, call }) => ({
        name: 'tool_call.started',
        data: { ...placeOf(pending), arguments: call.arguments, purpose: purposes.get(call.call_id) ?? call.name },
      })),
  })
}

async function runOne(
  { events, runner, resultRoom, hooks }: ToolTurnDependencies,
  session: RunSession,
  { pending, call }: OpenCall,
  calls: number,
): Promise<CallOutcome> {
  const { run, account, agent, callers, signal } = session
  const mask = hooks && createCallMask(hooks, { ...hookContextOf(session), callId: pending.call_id, tool: pending.name })
  const shown = { session, events, call: pending, ...(mask && hooks?.has('mask') && { mask }) }
  const progress = createToolProgress(shown)
  const output = createToolOutput(shown)
  const answer = pending.answer?.outcome === 'answered' ? (pending.answer.note ?? '') : undefined
  try {
    const { part, files } = await runner.run(
      call,
      {
        runId: run.id,
        chatId: run.chat_id,
        userId: run.user_id,
        userHandle: account.handle,
        agentId: agent.id,
        agentHandle: agent.handle,
        workspace: agent.workspace,
        depth: run.depth,
        ...(run.guests !== null && { guests: run.guests }),
        ...(callers.length > 0 && { callers }),
        timezone: account.timezone,
        ...(answer === undefined ? {} : { answer }),
        progress: async (update) => progress.report(update),
        output: async (text) => output.report(text),
      },
      {
        agent,
        more: [readResultName],
        ...(mask && { mask }),
        calls,
        ...(resultRoom && { roomTokens: resultRoom(run.model_group) }),
        again: pending.state === 'started',
        span: session.span,
        signal,
      },
    )
    return { part: withNote(part, pending), files }
  } finally {
    progress.close()
    output.close()
  }
}

/**
 * Stores a result; the last one of a turn is stored together with the message of all its results.
 */
async function record(
  { log }: ToolTurnDependencies,
  session: RunSession,
  { pending }: OpenCall,
  { part, files }: CallOutcome,
): Promise<void> {
  const open = openToolTurn(session.steps)
  const isLast = open?.calls.length === 1 && open.calls[0]?.call_id === pending.call_id
  if (!open || !isLast) return advance(session, log, resultTransition(pending, part, files))
  const content = resultsOf(session, new Map([[pending.call_id, part]]))
  const answered = answeredTransition(session, open.turn, content, files)
  await advance(session, log, joinTransitions(resultTransition(pending, part, files), answered))
  session.history?.push({ role: 'tool', content })
}

/** Adds the person's note of approval to the result for the model. */
const withNote = (result: CallOutcome['part'], { answer }: PendingCall): CallOutcome['part'] =>
  answer?.outcome === 'approved' && answer.note !== null && answer.note !== ''
    ? { ...result, content: [...result.content, { type: 'text', text: `The person approved this call and wrote: ${answer.note}` }] }
    : result
