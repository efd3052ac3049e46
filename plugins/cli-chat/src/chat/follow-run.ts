import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext, CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import { itemsOf } from '../common/pages.js'
import { type MessagePage, messagePageOf } from '../common/show-message.js'
import type { QuestionPrompts } from './answer-questions.js'
import type { ConversationView, RunEnd } from './conversation-view.js'

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

/** The pending questions of a chat. */
export async function openQuestions({ request }: CommandContext, chatId: string): Promise<readonly JsonObject[]> {
  return itemsOf(await request('GET', `/api/approvals?status=pending&limit=200&chat_id=${chatId}`))
}

/** The newest messages of a chat, from old to new, with their runs. */
export async function newestMessages({ request }: CommandContext, chatId: string, limit: number): Promise<MessagePage> {
  const chat = (await request('GET', `/api/chats/${chatId}`)) as JsonObject
  const count = Number(chat['message_count'] ?? 0)
  return messagePageOf(chat, count === 0 ? {} : await request('GET', `/api/chats/${chatId}/messages?before=${count}&limit=${limit}`))
}

/** What following a run needs. */
export interface FollowedRun {
  readonly id: string
  readonly chatId: string
  /** Receives every event of the run, before it is shown. */
  readonly onEvent: (event: CommandEvent) => Promise<void>
}

/**
 * Shows one run to its end and asks its questions. @throws `waiting_for_person` if no one can
 * answer them.
 */
export async function followRun(
  context: CommandContext,
  events: AsyncIterator<CommandEvent>,
  view: ConversationView,
  prompts: QuestionPrompts,
  run: FollowedRun,
): Promise<RunEnd> {
  try {
    return await Promise.race([showEvents(context, events, view, prompts, run), prompts.unanswered])
  } finally {
    prompts.close()
  }
}

async function showEvents(
  context: CommandContext,
  events: AsyncIterator<CommandEvent>,
  view: ConversationView,
  prompts: QuestionPrompts,
  run: FollowedRun,
): Promise<RunEnd> {
  for (;;) {
    const { done, value } = await events.next()
    if (done) throw new Error('The event stream ended before the answer.')
    if (value.name === 'reset') {
      const end = await catchUp(context, view, prompts, run)
      if (end) return end
      continue
    }
    const isOwn = value.data['run_id'] === run.id
    if (isOwn) await run.onEvent(value)
    const end = await view.show(value)
    if (isOwn) await prompts.show(value)
    if (end) return end
  }
}

/** After lost events: reads the state from the run itself. Resolves to its end if it has ended. */
async function catchUp(
  context: CommandContext,
  view: ConversationView,
  prompts: QuestionPrompts,
  run: FollowedRun,
): Promise<RunEnd | undefined> {
  const current = (await context.request('GET', `/api/runs/${run.id}`)) as JsonObject
  if (!ended.has(String(current['status']))) {
    for (const asked of await openQuestions(context, run.chatId)) if (asked['run_id'] === run.id) prompts.ask(asked)
    return undefined
  }
  await view.showMessages((await newestMessages(context, run.chatId, 200)).messages)
  return view.showEnd(current)
}
