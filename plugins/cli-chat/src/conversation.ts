import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext } from '@agent-service/sdk/contracts/cli-command'
import { createQuestionPrompts } from './answer-questions.js'
import { createConversationView } from './conversation-view.js'
import { followRun, openQuestions } from './follow-run.js'

/** One chat in the terminal. */
export interface Conversation {
  /**
   * Sends a message and shows the answer to its end. @throws `waiting_for_person` if the agent asks
   * and no one can answer.
   */
  send(content: string): Promise<void>
  /** Shows the run that waits for an answer, if there is one, with its questions. */
  resume(): Promise<void>
  /** Aborted by Ctrl-C while no answer is being written. */
  readonly atPrompt: AbortSignal
  /** Leaves the chat. */
  close(): Promise<void>
}

/**
 * Follows the events of a chat from before its first message, and takes over Ctrl-C. `asks`:
 * whether a person can be asked.
 */
export async function createConversation(
  context: CommandContext,
  { chatId, asks }: { readonly chatId: string; readonly asks: boolean },
): Promise<Conversation> {
  const { request, warn } = context
  const closing = new AbortController()
  const atPrompt = new AbortController()
  let running: string | undefined

  const stopAtInterrupt = async (): Promise<void> => {
    for await (const _ of context.interrupts({ signal: closing.signal })) {
      if (running === undefined) atPrompt.abort(new DOMException('The conversation was interrupted.', 'AbortError'))
      else
        await request('POST', `/api/runs/${running}/cancel`).catch((error: unknown) =>
          warn(`The answer could not be stopped: ${error instanceof Error ? error.message : String(error)}`),
        )
    }
  }
  const interrupts = stopAtInterrupt().catch((error: unknown) => {
    if (!closing.signal.aborted && !context.signal.aborted) throw error
  })
  const close = (): Promise<void> => {
    closing.abort(new DOMException('The conversation is over.', 'AbortError'))
    return interrupts
  }
  const opened = context.events({ query: { chat_id: chatId }, signal: closing.signal })
  const stream = await opened.catch(async (error: unknown) => {
    await close()
    throw error
  })
  const events = stream[Symbol.asyncIterator]()

  const follow = async (runId: string, asked: readonly JsonObject[] = []): Promise<void> => {
    running = runId
    const prompts = createQuestionPrompts(context, { asks })
    for (const question of asked) prompts.ask(question)
    try {
      await followRun(context, events, createConversationView(context, runId), prompts, { id: runId, chatId })
    } finally {
      running = undefined
    }
  }
  return {
    atPrompt: atPrompt.signal,
    close,
    async send(content) {
      const answer = (await request('POST', `/api/chats/${chatId}/messages`, { content })) as JsonObject
      await follow(String((answer['run'] as JsonObject)['id']))
    },
    async resume() {
      const asked = await openQuestions(context, chatId)
      const runId = asked[0]?.['run_id']
      if (runId === undefined) return
      await follow(
        String(runId),
        asked.filter((question) => question['run_id'] === runId),
      )
    },
  }
}
