import type { JsonObject } from '@agent-service/sdk'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { tools as toolPoint } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference, InferenceEvent } from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import { answerBrokenError, answerTooLongError } from '../errors.js'
import { type Message, messageCollection, presentMessage } from '../messages/message.js'
import { insertMessage } from '../messages/write-message.js'
import { loadHistory } from './history.js'
import { createLiveMessage, type LiveMessage, maximumAnswerLength } from './live-message.js'
import type { NextAction } from './plan-next.js'
import { hashRequest, systemMessage } from './prompt.js'
import type { Run } from './run.js'
import type { RunLog } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import { type Answer, createTurnRecords, withOurIds } from './turn-records.js'
import { untilAborted } from './until-aborted.js'

/** One model call of a run, from the step that announces it to the step that reports it. */
export interface ModelTurn {
  take(session: RunSession, action: Extract<NextAction, { kind: 'call-model' }>, options: { readonly first: boolean }): Promise<void>
}

export function createModelTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly inference: Inference
  readonly contributions: Contributions
  readonly log: RunLog
  /** The text that all agents share. */
  readonly sharedPrompt: () => Promise<string>
}): ModelTurn {
  const { database, events, clock, inference, contributions, log, sharedPrompt } = dependencies
  const records = createTurnRecords(log)

  const offeredTools = (session: RunSession): readonly ModelTool[] =>
    contributions
      .list(toolPoint)
      .filter((tool) => session.agent.tools.includes(tool.key))
      .map(({ value }) => ({ name: value.name, description: value.description, parameters: value.parameters as unknown as JsonObject }))

  /** What the history of a chat may take of the model's window. */
  const historyBudget = (run: Run): number => {
    const groups = inference.groups()
    const group = groups.find((candidate) => candidate.name === run.model_group) ?? groups.find((candidate) => candidate.name === 'primary')
    const window = group?.context_window ?? 128_000
    const reserve = Math.min(group?.max_tokens ?? inference.limits.default_max_tokens, Math.floor(window / 2))
    return Math.floor(((window - reserve) * inference.limits.history_truncation_pct) / 100)
  }

  return {
    async take(session, action, { first }) {
      const conversation = session.history ?? [...(await loadHistory(database, session.run.chat_id, historyBudget(session.run)))]
      session.history = conversation
      const messages: readonly ModelMessage[] = [systemMessage(await sharedPrompt(), session.agent), ...conversation]
      const tools = action.withTools ? offeredTools(session) : []
      const { run } = session
      const messageId = action.again?.messageId ?? uuidv7()
      const requested = {
        type: 'model.requested' as const,
        turn: action.turn,
        message_id: messageId,
        request_hash: hashRequest(messages, tools),
        with_tools: action.withTools,
      }
      let opened: Message | undefined
      await advance(session, log, {
        steps: first ? [{ type: 'run.started' }, requested] : [requested],
        run: (now) => (first ? { status: 'running', started_at: now } : {}),
        write: async (transaction, now) => {
          const message = await transaction.get(messageCollection, messageId)
          if (message) transaction.put(messageCollection, { ...message, status: 'open', content: [] })
          else opened = (await insertMessage(transaction, { id: messageId, run, role: 'assistant', status: 'open', content: [], now })).message
        },
        events: () => [
          ...(first ? [{ name: 'run.started' as const, data: { agent_id: run.agent_id } }] : []),
          ...(action.again
            ? [{ name: 'run.started' as const, data: { agent_id: run.agent_id, resumed: true, void: { message_id: messageId, part: 0, offset: 0 } } }]
            : []),
          ...(opened ? [{ name: 'message.created' as const, data: { message: presentMessage(opened) } }] : []),
        ],
      })

      const live = createLiveMessage({ ids: { messageId, chatId: run.chat_id, runId: run.id, userId: run.user_id }, events, clock })
      session.live = live
      try {
        const answer = await listen(session, live, action.turn, inference.infer({ group: run.model_group, messages, tools }, { signal: session.signal }))
        live.close()
        await records.complete(session, action.turn, messageId, answer)
        conversation.push({ role: 'assistant', content: answer.content })
      } catch (error) {
        live.close()
        if (session.signal.aborted) {
          session.partial = live.content()
          throw error
        }
        await records.fail(session, action.turn, live, error)
      } finally {
        session.live = undefined
      }
    },
  }

  async function listen(session: RunSession, live: LiveMessage, turn: number, stream: AsyncIterable<InferenceEvent>): Promise<Answer> {
    let provider = ''
    let model = ''
    for await (const event of untilAborted(stream, session.signal)) {
      switch (event.type) {
        case 'attempt.started':
          provider = event.provider
          model = event.model
          break
        case 'attempt.retrying': {
          const shown = live.length() > 0
          live.reset()
          await advance(session, log, {
            steps: [],
            events: () => [
              {
                name: 'run.retrying',
                data: {
                  attempt: event.attempt,
                  delay_ms: event.delay_ms,
                  failure: event.failure,
                  reason: event.reason,
                  ...(shown ? { void: { message_id: live.messageId, part: 0, offset: 0 } } : {}),
                },
              },
            ],
          })
          break
        }
        case 'text.delta':
          live.append('text', event.part, event.text)
          break
        case 'reasoning.delta':
          live.append('reasoning', event.part, event.text)
          break
        case 'tool_call.started':
          live.startCall(event.part, event.name)
          break
        case 'tool_call.delta':
          live.appendArguments(event.part, event.arguments_text)
          break
        case 'response.finished':
          return {
            content: withOurIds({ runId: session.run.id, turn }, event.content),
            stopReason: event.stop_reason,
            usage: event.usage,
            provider,
            model,
          }
        case 'response.started':
        case 'group.substituted':
          break
      }
      if (live.length() > maximumAnswerLength) throw answerTooLongError.create({ limit: maximumAnswerLength })
    }
    throw answerBrokenError.create({})
  }
}
