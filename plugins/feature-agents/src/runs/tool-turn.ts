import type { Logger } from '@agent-service/sdk'
import type { ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { v5 as uuidv5 } from 'uuid'
import { type Message, messageCollection, presentMessage } from '../messages/message.js'
import { insertMessage } from '../messages/write-message.js'
import type { NextAction, PendingCall } from './plan-next.js'
import type { RunLog } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import type { ToolRunner } from './tool-runner.js'

/** The tool calls of one turn: each is announced before it runs and recorded when it has ended. */
export interface ToolTurn {
  run(session: RunSession, action: Extract<NextAction, { kind: 'run-tools' }>): Promise<void>
  /** All calls have ended: their results become one message. */
  answer(session: RunSession, action: Extract<NextAction, { kind: 'answer-tools' }>): Promise<void>
}

export function createToolTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly log: RunLog
  readonly runner: ToolRunner
  readonly logger: Logger
}): ToolTurn {
  const { database, events, log, runner, logger } = dependencies
  const messages = database.collection(messageCollection)

  const callsOf = async (calls: readonly PendingCall[]): Promise<readonly { readonly pending: PendingCall; readonly call: ToolCallPart }[]> => {
    const result: { readonly pending: PendingCall; readonly call: ToolCallPart }[] = []
    for (const pending of calls) {
      const part = (await messages.get(pending.message_id))?.content[pending.part]
      if (part?.type !== 'tool_call') throw new Error(`The call ${pending.call_id} is not in the message ${pending.message_id}.`)
      result.push({ pending, call: part })
    }
    return result
  }

  const runOne = async (session: RunSession, pending: PendingCall, call: ToolCallPart): Promise<ToolResultPart> => {
    const { run, account, agent, signal } = session
    return runner.run(
      call,
      {
        runId: run.id,
        chatId: run.chat_id,
        userId: run.user_id,
        agentId: agent.id,
        timezone: account.timezone,
        progress: async ({ message, fraction }) => {
          if (signal.aborted) return
          events.publishDelta({
            userId: run.user_id,
            name: 'tool_call.delta',
            data: {
              chat_id: run.chat_id,
              run_id: run.id,
              message_id: pending.message_id,
              part: pending.part,
              call_id: call.call_id,
              progress: { message: message.slice(0, 500), ...(fraction === undefined ? {} : { fraction }) },
            },
          })
        },
      },
      { again: pending.state === 'started', signal },
    )
  }

  const record = (session: RunSession, pending: PendingCall, result: ToolResultPart): Promise<void> =>
    advance(session, log, {
      steps: [{ type: 'tool.completed', call_id: pending.call_id, result }],
      events: () => [
        {
          name: 'tool_call.finished',
          data: {
            message_id: pending.message_id,
            part: pending.part,
            call_id: pending.call_id,
            name: pending.name,
            is_error: result.is_error ?? false,
            content: result.content,
            ...(result.outcome ? { outcome: result.outcome } : {}),
          },
        },
      ],
    })

  const begin = (session: RunSession, started: readonly { readonly pending: PendingCall; readonly call: ToolCallPart }[]): Promise<void> => {
    const fresh = started.filter(({ pending }) => pending.state === 'planned')
    if (fresh.length === 0) return Promise.resolve()
    return advance(session, log, {
      steps: fresh.map(({ pending }) => ({ type: 'tool.started', call_id: pending.call_id, name: pending.name })),
      events: () => fresh.map(({ pending, call }) => ({
        name: 'tool_call.started',
        data: {
          message_id: pending.message_id,
          part: pending.part,
          call_id: pending.call_id,
          name: pending.name,
          arguments: call.arguments,
          purpose: runner.purpose(call),
        },
      })),
    })
  }

  return {
    async run(session, action) {
      const calls = await callsOf(action.calls)
      const groups = runner.mayRunTogether(calls.map(({ call }) => call.name)) ? [calls] : calls.map((call) => [call])
      for (const group of groups) {
        await begin(session, group)
        // All of a group end before anything is recorded as failed, so that no call runs on unseen.
        const recorded = Promise.resolve()
        let order: Promise<void> = recorded
        const ended = await Promise.allSettled(
          group.map(async ({ pending, call }) => {
            const result = await runOne(session, pending, call)
            order = order.then(() => record(session, pending, result))
            await order
          }),
        )
        const failure = ended.find((outcome) => outcome.status === 'rejected')
        if (failure) {
          if (!session.signal.aborted) logger.error('A tool call could not be recorded.', { run_id: session.run.id, error: failure.reason })
          throw failure.reason
        }
      }
    },

    async answer(session, action) {
      const { run } = session
      const results = new Map<string, ToolResultPart>()
      const order: string[] = []
      for (const step of session.steps) {
        if (step.type === 'tool.planned' && step.turn === action.turn) order.push(step.call_id)
        if (step.type === 'tool.completed') results.set(step.call_id, step.result)
      }
      const content = order.flatMap((id) => results.get(id) ?? [])
      // The same id when a process went down in between: the message is then there already, or not at all.
      const messageId = uuidv5(`tools/${action.turn}`, run.id)
      let stored: Message | undefined
      await advance(session, log, {
        steps: [{ type: 'tools.answered', turn: action.turn, message_id: messageId }],
        write: async (transaction, now) => {
          stored = (await insertMessage(transaction, { id: messageId, run, role: 'tool', status: 'complete', content, now })).message
        },
        events: () => (stored ? [{ name: 'message.created', data: { message: presentMessage(stored) } }] : []),
      })
      session.history?.push({ role: 'tool', content })
    },
  }
}
