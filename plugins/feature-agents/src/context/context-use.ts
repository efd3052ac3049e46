import type { Database } from '@agent-service/sdk/services/database'
import type { Inference } from '@agent-service/sdk/services/inference'
import { messagesAlong } from '../store/chats/branch-messages.js'
import type { Chat } from '../store/chats/chat.js'
import { runStepCollection } from '../store/runs/run-step.js'
import { compactionThreshold, contextWindow } from './budget.js'
import type { Summaries } from './summaries.js'

/** How full the window of a chat's model is, in tokens. */
export interface ContextUse {
  readonly window: number
  readonly reserve: number
  /** Above this size of the prompt older messages are summarised first. */
  readonly compactAbove: number
  /**
   * What the newest model call of the branch took, with its answer; less what a later summary
   * replaces. Null before the first call.
   */
  readonly tokens: number | null
}

/** How many of the newest messages are searched for a model call. */
const maxSearched = 40
/** A call ends among the newest steps of its run, unless many tools follow it. */
const maxSteps = 200

export async function contextUse(
  dependencies: {
    readonly database: Database
    readonly inference: Pick<Inference, 'groups' | 'limits'>
    readonly summaries: Summaries
  },
  chat: Chat,
  modelGroup: string,
): Promise<ContextUse> {
  const { database, inference, summaries } = dependencies
  const place = contextWindow(inference, modelGroup)
  const newest = await newestCall(database, chat)
  const summary = newest && (await summaries.along(chat.id, chat.path))
  const saved = newest && summary && summary.created_at > newest.at ? summary.tokens_before - summary.tokens : 0
  return {
    ...{ window: place.window, reserve: place.reserve, compactAbove: Math.floor(compactionThreshold(place)) },
    tokens: newest ? Math.max(0, newest.tokens - saved) : null,
  }
}

/** The tokens of the newest completed model call on the branch that is shown. */
async function newestCall(database: Database, chat: Chat): Promise<{ readonly tokens: number; readonly at: string } | undefined> {
  let searched = 0
  let runId = ''
  for await (const message of messagesAlong(database, chat.path, { order: 'descending', to: chat.message_count, pageSize: 10 })) {
    searched += 1
    if (searched > maxSearched) return undefined
    if (message.role !== 'assistant' || message.run_id === runId) continue
    runId = message.run_id
    const page = await database
      .collection(runStepCollection)
      .query({ index: 'by_run', equals: [runId], order: 'descending', limit: maxSteps })
    for (const { body, at } of page.items)
      if (body.type === 'model.completed') return { tokens: body.usage.input_tokens + body.usage.output_tokens, at }
  }
  return undefined
}
