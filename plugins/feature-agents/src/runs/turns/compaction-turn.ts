import type { Logger } from '@agent-service/sdk'
import type { Database } from '@agent-service/sdk/services/database'
import { v5 as uuidv5 } from 'uuid'
import type { CompactionPlan, Compactor, SummaryDraft } from '../../context/compactor.js'
import { messagesAlong } from '../../store/chats/branch-messages.js'
import { type Chat, chatCollection, presentChat } from '../../store/chats/chat.js'
import { messageCollection } from '../../store/chats/message.js'
import { presentSummary, type Summary, summaryCollection } from '../../store/chats/summary.js'
import { chatOfRun } from '../../store/runs/chat-of-run.js'
import { noUsage, type RunFailure, type RunUsage, runCollection } from '../../store/runs/run.js'
import { nothingToSummarise, olderOmitted } from '../log/compaction-codes.js'
import type { NextAction } from '../log/plan-next.js'
import type { RunLog } from '../log/run-log.js'
import type { Transition, TransitionEvent } from '../log/transition.js'
import { addUsage, describeFailure } from '../log/turn-records.js'
import type { ModelPrompt } from '../prompt/model-prompt.js'
import { advance, type RunSession } from '../session/run-session.js'

type Compact = Extract<NextAction, { kind: 'compact' }>

/**
 * Writes the summary that replaces the older messages of a chat for a model, as a step of a run.
 */
export interface CompactionTurn {
  /**
   * Writes `context.compacted`, or `context.kept` if no summary could be made. Rejects only with an
   * error of the store or when the run is stopped.
   */
  take(session: RunSession, action: Compact): Promise<void>
}

export function createCompactionTurn(dependencies: {
  readonly database: Database
  readonly compactor: Compactor
  readonly prompt: Pick<ModelPrompt, 'fixedTokens'>
  readonly log: RunLog
  readonly logger: Logger
}): CompactionTurn {
  const { database, compactor, prompt, log, logger } = dependencies
  const chats = database.collection(chatCollection)
  const messages = database.collection(messageCollection)
  const runs = database.collection(runCollection)

  const keep = (session: RunSession, { turn, reason }: Compact, code: string, more: Omit<Transition, 'steps'> = {}): Promise<void> =>
    advance(session, log, { steps: [{ type: 'context.kept', turn, reason, code }], ...more })

  const planFor = async (session: RunSession, chat: Chat, reason: Compact['reason']): Promise<CompactionPlan | undefined> => {
    const { run, agent, account, steps, signal } = session
    const place = { run, agent, timezone: account.timezone, path: chat.path }
    const fixedTokens = await prompt.fixedTokens(place, { signal })
    const refused = reason === 'overflow' ? steps.findLast((step) => step.type === 'model.overflowed') : undefined
    // Messages after the one that waits for its answer were not part of the prompt, nor were
    // messages that no call has seen yet.
    const open = refused?.type === 'model.overflowed' ? await messages.get(refused.message_id) : undefined
    const before = Math.min(chat.message_count, open?.sequence ?? chat.message_count)
    const unseen = (await runs.get(run.id))?.inbox ?? []
    return compactor.plan({
      ...{ chat, group: run.model_group, fixedTokens, before, unseen },
      refused: reason === 'overflow',
      withinTurns: true,
    })
  }

  /**
   * For a chat without summaries: shortens the refused prompt by leaving out older turns, if there
   * are any.
   */
  const omitOlder = async (session: RunSession, chat: Chat, action: Compact): Promise<void> => {
    const code = action.reason === 'budget' ? 'switched_off' : (await hasTurns(chat)) ? olderOmitted : nothingToSummarise
    await keep(session, action, code)
  }

  const hasTurns = async (chat: Chat): Promise<boolean> => {
    let turns = 0
    for await (const message of messagesAlong(database, chat.path, { order: 'descending' })) {
      if (message.role === 'user') turns += 1
      if (turns > 1) return true
    }
    return false
  }

  /** The summary, or why there is none, and the usage of its calls. */
  const make = async (
    { run, span, signal }: RunSession,
    plan: CompactionPlan,
  ): Promise<{ readonly usage: RunUsage } & ({ readonly draft: SummaryDraft } | { readonly failure: RunFailure })> => {
    let usage = noUsage
    try {
      const draft = await compactor.draft(plan, {
        attribution: { userId: run.user_id, agentId: run.agent_id, chatId: run.chat_id, runId: run.id },
        span,
        signal,
        onUsage(added) {
          usage = addUsage(usage, added)
        },
      })
      return { draft, usage }
    } catch (error) {
      signal.throwIfAborted()
      logger.warn('Older messages could not be summarised.', { run_id: run.id, error })
      return { failure: describeFailure(error), usage }
    }
  }

  return {
    async take(session, action) {
      const { run, signal } = session
      const { turn, reason } = action
      const chat = await chats.get(run.chat_id)
      const continued = chat && (await chatOfRun(database, run))
      if (!continued) return keep(session, action, nothingToSummarise)
      if (!chat.compaction) return omitOlder(session, continued, action)
      const plan = await planFor(session, continued, reason)
      signal.throwIfAborted()
      if (!plan) return keep(session, action, nothingToSummarise)
      await advance(session, log, startedTransition(chat))
      const made = await make(session, plan)
      signal.throwIfAborted()
      const counted: Pick<Transition, 'run'> = { run: (_, stored) => ({ usage: addUsage(stored.usage, made.usage) }) }
      if ('failure' in made) {
        const { failure } = made
        const failed: TransitionEvent = { name: 'chat.updated', data: { chat: presentChat(chat), compaction: 'failed', failure } }
        return keep(session, action, failure.code, { ...counted, events: () => [failed] })
      }
      // The same id for a repeated step, so that a crash in between creates no duplicate.
      const id = uuidv5(`summary/${turn}/${reason}`, run.id)
      await advance(session, log, { ...compactedTransition(session, action, { ...made.draft, id, run_id: run.id }), ...counted })
      // The history is read again, after the summary.
      session.history = undefined
    },
  }
}

/** Emits that a summary is being written. It has no step: the finished summary is the step. */
function startedTransition(chat: Chat): Transition {
  return { steps: [], events: () => [{ name: 'chat.updated', data: { chat: presentChat(chat), compaction: 'started' } }] }
}

function compactedTransition({ run }: RunSession, { turn, reason }: Compact, draft: Omit<Summary, 'created_at' | 'undone_at'>): Transition {
  let stored: Summary | undefined
  let chat: Chat | undefined
  return {
    steps: [{ type: 'context.compacted', turn, reason, summary_id: draft.id }],
    async write(transaction, now) {
      chat = await transaction.get(chatCollection, run.chat_id)
      // No summary if a person has switched them off meanwhile.
      stored = { ...draft, created_at: now, undone_at: chat?.compaction === false ? now : null }
      transaction.put(summaryCollection, stored)
    },
    events: () =>
      stored && chat
        ? [{ name: 'chat.updated', data: { chat: presentChat(chat), summary: presentSummary(stored), compaction: 'done' } }]
        : [],
  }
}
