import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v5 as uuidv5 } from 'uuid'
import { type Message, messageCollection, presentMessage } from '../messages/message.js'
import { insertMessage } from '../messages/write-message.js'
import { type NextAction, openToolTurn, type PendingCall } from './plan-next.js'
import { joinTransitions, type RunLog, type Transition, type TransitionEvent } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import { createToolProgress } from './tool-progress.js'
import { failedResult } from './tool-results.js'
import type { ToolRunner } from './tool-runner.js'

/** How many calls of one turn run at the same time. */
const maximumAtOnce = 16

/** The tool calls of one turn: each is announced before it runs and recorded when it has ended. */
export interface ToolTurn {
  run(session: RunSession, action: Extract<NextAction, { kind: 'run-tools' }>): Promise<void>
  /** All calls have ended: their results become one message. */
  answer(session: RunSession, action: Extract<NextAction, { kind: 'answer-tools' }>): Promise<void>
  /**
   * For a run that ends in the middle of its tool calls: a result for every call, so that what was done is not forgotten and what is not known is
   * called so. `undefined` when there is nothing to settle.
   */
  settle(session: RunSession): Promise<Transition | undefined>
}

interface Call {
  readonly pending: PendingCall
  readonly call: ToolCallPart
}

export function createToolTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly log: RunLog
  readonly runner: ToolRunner
}): ToolTurn {
  const { database, events, log, runner } = dependencies
  const messages = database.collection(messageCollection)

  const callsOf = async (calls: readonly PendingCall[]): Promise<readonly Call[]> => {
    const result: Call[] = []
    for (const pending of calls) {
      const part = (await messages.get(pending.message_id))?.content[pending.part]
      if (part?.type !== 'tool_call') throw new Error(`The call ${pending.call_id} is not in the message ${pending.message_id}.`)
      result.push({ pending, call: part })
    }
    return result
  }

  const runOne = async (session: RunSession, { pending, call }: Call, calls: number): Promise<ToolResultPart> => {
    const { run, account, agent, signal } = session
    const progress = createToolProgress({ session, events, call: pending })
    try {
      return await runner.run(
        call,
        {
          runId: run.id,
          chatId: run.chat_id,
          userId: run.user_id,
          agentId: agent.id,
          timezone: account.timezone,
          progress: async (update) => progress.report(update),
        },
        { allowed: agent.tools, calls, again: pending.state === 'started', span: session.span, signal },
      )
    } finally {
      progress.close()
    }
  }

  const begin = async (session: RunSession, calls: readonly Call[]): Promise<void> => {
    const fresh = calls.filter(({ pending }) => pending.state === 'planned')
    if (fresh.length === 0) return
    await advance(session, log, {
      steps: fresh.map(({ pending }) => ({ type: 'tool.started', call_id: pending.call_id, name: pending.name })),
      events: () =>
        fresh.map(({ pending, call }) => ({
          name: 'tool_call.started',
          data: { ...placeOf(pending), arguments: call.arguments, purpose: runner.purpose(call) },
        })),
    })
  }

  const runTogether = async (session: RunSession, calls: readonly Call[], planned: number): Promise<void> => {
    await begin(session, calls)
    // Recorded one after the other, in the order in which they end. One that cannot be recorded does not keep the others from it.
    let recording: Promise<void> = Promise.resolve()
    const ended = await Promise.allSettled(
      calls.map(async (call) => {
        const result = await runOne(session, call, planned)
        const recorded = recording.then(() => advance(session, log, resultTransition(call.pending, result)))
        recording = recorded.catch(() => undefined)
        await recorded
      }),
    )
    const failure = ended.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }

  return {
    async run(session, action) {
      const calls = await callsOf(action.calls)
      const planned = openToolTurn(session.steps)?.planned ?? calls.length
      const size = runner.mayRunTogether(calls.map(({ call }) => call.name)) ? maximumAtOnce : 1
      for (let start = 0; start < calls.length; start += size) {
        session.signal.throwIfAborted()
        await runTogether(session, calls.slice(start, start + size), planned)
      }
    },

    async answer(session, { turn }) {
      const content = resultsOf(session, new Map())
      await advance(session, log, answeredTransition(session, turn, content))
      session.history?.push({ role: 'tool', content })
    },

    async settle(session) {
      const open = openToolTurn(session.steps)
      if (!open) return undefined
      const settled = (await callsOf(open.calls)).map(({ pending, call }) => ({
        pending,
        result: pending.state === 'planned' ? notRun(call) : stopped(call, runner.effectOf(call.name) !== 'read'),
      }))
      const content = resultsOf(session, new Map(settled.map(({ pending, result }) => [pending.call_id, result])))
      return [
        ...settled.map(({ pending, result }) => resultTransition(pending, result)),
        answeredTransition(session, open.turn, content),
      ].reduce(joinTransitions)
    },
  }
}

/** All results of the turn that is open, in the order in which the model asked. */
function resultsOf(session: RunSession, further: ReadonlyMap<string, ToolResultPart>): readonly ToolResultPart[] {
  const results = new Map(further)
  const order: string[] = []
  for (const step of session.steps.slice(session.steps.findLastIndex((candidate) => candidate.type === 'model.requested'))) {
    if (step.type === 'tool.planned') order.push(step.call_id)
    if (step.type === 'tool.completed') results.set(step.call_id, step.result)
  }
  return order.flatMap((id) => results.get(id) ?? [])
}

function resultTransition(pending: PendingCall, result: ToolResultPart): Transition {
  const event: TransitionEvent = {
    name: 'tool_call.finished',
    data: {
      ...placeOf(pending),
      is_error: result.is_error ?? false,
      content: result.content,
      ...(result.outcome ? { outcome: result.outcome } : {}),
    },
  }
  return { steps: [{ type: 'tool.completed', call_id: pending.call_id, result }], events: () => [event] }
}

function answeredTransition(session: RunSession, turn: number, content: readonly ToolResultPart[]): Transition {
  const { run } = session
  const messageId = uuidv5(`tools/${turn}`, run.id)
  let stored: Message | undefined
  return {
    steps: [{ type: 'tools.answered', turn, message_id: messageId }],
    async write(transaction, now) {
      stored = (await insertMessage(transaction, { id: messageId, run, role: 'tool', status: 'complete', content, now })).message
    },
    events: () => (stored ? [{ name: 'message.created', data: { message: presentMessage(stored) } }] : []),
  }
}

const placeOf = ({ message_id, part, call_id, name }: PendingCall) => ({ message_id, part, call_id, name })

const notRun = (call: ToolCallPart): ToolResultPart => failedResult(call, 'Not run: the run ended before this call had begun.')

const stopped = (call: ToolCallPart, unknown: boolean): ToolResultPart =>
  unknown
    ? failedResult(
        call,
        'Outcome unknown: the run was stopped while this call was running, so it may or may not have had its effect.',
        'unknown',
      )
    : failedResult(call, 'Stopped: the run ended before this call had answered.')
