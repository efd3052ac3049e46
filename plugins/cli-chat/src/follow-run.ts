import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext, CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import type { QuestionPrompts } from './answer-questions.js'
import type { ConversationView } from './conversation-view.js'

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

/** The pending questions of a chat. */
export async function openQuestions({ request }: CommandContext, chatId: string): Promise<readonly JsonObject[]> {
  const page = (await request('GET', `/api/approvals?status=pending&limit=200&chat_id=${chatId}`)) as JsonObject
  return (page['items'] ?? []) as readonly JsonObject[]
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
  run: { readonly id: string; readonly chatId: string },
): Promise<void> {
  try {
    await Promise.race([showEvents(context, events, view, prompts, run), prompts.unanswered])
  } finally {
    prompts.close()
  }
}

async function showEvents(
  context: CommandContext,
  events: AsyncIterator<CommandEvent>,
  view: ConversationView,
  prompts: QuestionPrompts,
  run: { readonly id: string; readonly chatId: string },
): Promise<void> {
  for (;;) {
    const { done, value } = await events.next()
    if (done) throw new Error('The event stream ended before the answer.')
    if (value.name === 'reset') {
      if (await catchUp(context, view, prompts, run)) return
      continue
    }
    const isLast = await view.show(value)
    if (value.data['run_id'] === run.id) await prompts.show(value)
    if (isLast) return
  }
}

/** After lost events: reads the state from the run itself. Resolves to whether it has ended. */
async function catchUp(
  context: CommandContext,
  view: ConversationView,
  prompts: QuestionPrompts,
  run: { readonly id: string; readonly chatId: string },
): Promise<boolean> {
  const { status } = (await context.request('GET', `/api/runs/${run.id}`)) as JsonObject
  if (!ended.has(String(status))) {
    for (const asked of await openQuestions(context, run.chatId)) if (asked['run_id'] === run.id) prompts.ask(asked)
    return false
  }
  const page = (await context.request('GET', `/api/chats/${run.chatId}/messages?limit=200`)) as JsonObject
  await view.showRest((page['items'] ?? []) as readonly JsonObject[])
  return true
}
