import type { JsonObject, Logger } from '@agent-service/sdk'
import type { ModelMessage, ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { tools as toolPoint } from '@agent-service/sdk/contracts/tool'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { Inference } from '@agent-service/sdk/services/inference'
import { v7 as uuidv7 } from 'uuid'
import { type Message, messageCollection, presentMessage } from '../messages/message.js'
import { insertMessage } from '../messages/write-message.js'
import { estimateTokens, keepWithin, loadHistory } from './history.js'
import { listenToModel } from './listen-to-model.js'
import { createLiveMessage } from './live-message.js'
import type { NextAction } from './plan-next.js'
import { hashRequest, systemMessage } from './prompt.js'
import type { Run } from './run.js'
import { endingTransition } from './run-ending.js'
import { joinTransitions, type RunLog, runSupersededError } from './run-log.js'
import { advance, type RunSession } from './run-session.js'
import { brokenTransition, callIdAt, completedTransition, describeFailure } from './turn-records.js'

type CallModel = Extract<NextAction, { kind: 'call-model' }>

/**
 * One model call of a run: the transition that announces it, the call, and the transition that reports it. An answer without tool calls and an answer
 * that broke off end the run in the same transition.
 */
export interface ModelTurn {
  take(session: RunSession, action: CallModel, options: { readonly first: boolean }): Promise<void>
}

export function createModelTurn(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly inference: Inference
  readonly contributions: Contributions
  readonly log: RunLog
  /** The text that all agents share. */
  readonly sharedPrompt: () => Promise<string>
  readonly logger: Logger
}): ModelTurn {
  const { database, events, inference, contributions, log, sharedPrompt, logger } = dependencies

  const offeredTools = (session: RunSession): readonly ModelTool[] =>
    contributions
      .list(toolPoint)
      .filter((tool) => session.agent.tools.includes(tool.key))
      .map(({ value }) => ({ name: value.name, description: value.description, parameters: value.parameters as unknown as JsonObject }))

  /** What the history of a chat may take of the model's window, in tokens. */
  const historyBudget = (run: Run, system: ModelMessage, tools: readonly ModelTool[]): number => {
    const groups = inference.groups()
    const group = groups.find((candidate) => candidate.name === run.model_group) ?? groups.find((candidate) => candidate.name === 'primary')
    const window = group?.context_window ?? 128_000
    const reserve = Math.min(group?.max_tokens ?? inference.limits.default_max_tokens, Math.floor(window / 2))
    const rest = window - reserve - estimateTokens(system.content) - Math.ceil(JSON.stringify(tools).length / 4)
    return Math.max(0, Math.floor((rest * inference.limits.history_truncation_pct) / 100))
  }

  const prepare = async (session: RunSession, withTools: boolean) => {
    const tools = withTools ? offeredTools(session) : []
    const system = systemMessage(await sharedPrompt(), session.agent)
    const budget = historyBudget(session.run, system, tools)
    const history = keepWithin(session.history ?? (await loadHistory(database, session.run.chat_id, budget)), budget)
    session.history = [...history]
    const messages: readonly ModelMessage[] = [system, ...history]
    return { messages, tools }
  }

  /** Announces the call: the step, and an empty message to fill. */
  const announce = async (
    session: RunSession,
    action: CallModel,
    messageId: string,
    requestHash: string,
    first: boolean,
  ): Promise<void> => {
    const { run } = session
    const requested = {
      type: 'model.requested' as const,
      turn: action.turn,
      message_id: messageId,
      request_hash: requestHash,
      with_tools: action.withTools,
    }
    let opened: Message | undefined
    await advance(session, log, {
      steps: first ? [{ type: 'run.started' }, requested] : [requested],
      run: (now) => ({
        ...(first ? { status: 'running', started_at: now } : {}),
        // To ask again is no progress: a call that brings the process down each time has to come to an end.
        ...(action.again ? { attempts: run.attempts } : {}),
      }),
      write: async (transaction, now) => {
        opened = undefined
        const message = await transaction.get(messageCollection, messageId)
        if (message) transaction.put(messageCollection, { ...message, status: 'open', content: [] })
        else
          opened = (await insertMessage(transaction, { id: messageId, run, role: 'assistant', status: 'open', content: [], now })).message
      },
      events: () => [
        ...(first ? [{ name: 'run.started' as const, data: { agent_id: run.agent_id } }] : []),
        ...(action.again
          ? [
              {
                name: 'run.started' as const,
                data: { agent_id: run.agent_id, resumed: true, void: { message_id: messageId, part: 0, offset: 0 } },
              },
            ]
          : []),
        ...(opened ? [{ name: 'message.created' as const, data: { message: presentMessage(opened) } }] : []),
      ],
    })
  }

  return {
    async take(session, action, { first }) {
      const { run, signal } = session
      const { turn } = action
      const { messages, tools } = await prepare(session, action.withTools)
      signal.throwIfAborted()
      const messageId = action.again?.messageId ?? uuidv7()
      await announce(session, action, messageId, hashRequest(messages, tools), first)

      const live = createLiveMessage({
        ids: { messageId, chatId: run.chat_id, runId: run.id, userId: run.user_id },
        events,
        pace: session.pace,
        callId: (part) => callIdAt(run.id, turn, part),
      })
      session.live = live
      try {
        const stream = inference.infer({ group: run.model_group, messages, tools }, { signal })
        const answer = await listenToModel({ session, log, live, turn, stream })
        live.close()
        const completed = completedTransition(session.run, turn, messageId, answer)
        const callsTools = answer.content.some((part) => part.type === 'tool_call')
        await advance(session, log, callsTools ? completed : joinTransitions(completed, endingTransition(session, { status: 'completed' })))
        session.history?.push({ role: 'assistant', content: answer.content })
      } catch (error) {
        live.close()
        session.partial = live.content()
        if (signal.aborted || runSupersededError.isInstance(error)) throw error
        logger.warn('A model call failed.', { run_id: run.id, turn, error })
        const failure = describeFailure(error)
        const broken = brokenTransition(turn, messageId, session.partial, failure)
        await advance(session, log, joinTransitions(broken, endingTransition(session, { status: 'failed', failure })))
      } finally {
        session.live = undefined
      }
    },
  }
}
