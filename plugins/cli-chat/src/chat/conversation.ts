import type { JsonObject } from '@agent-service/sdk'
import type { CommandContext, CommandEvent } from '@agent-service/sdk/contracts/cli-command'
import { createQuestionPrompts } from './answer-questions.js'
import { createConversationView, type RunEnd } from './conversation-view.js'
import { followRun, newestMessages, openQuestions } from './follow-run.js'
import { createInterruption } from './interruption.js'

/** The answer to a message. */
export interface Answer {
  readonly runId: string
  /** Its text, as it was shown. */
  readonly text: string
  readonly end: RunEnd
}

/** One chat in the terminal. */
export interface Conversation {
  /**
   * Sends a message and shows the answer to its end. @throws `waiting_for_person` if the agent asks
   * and no one can answer.
   */
  send(content: string): Promise<Answer>
  /** Shows the run of the chat that has not ended, if there is one, with its questions. */
  resume(): Promise<void>
  /**
   * Aborted when the person leaves with Ctrl-C: while no answer is being written, or by a second
   * one during an answer.
   */
  readonly left: AbortSignal
  /** Leaves the chat. */
  close(): Promise<void>
}

/** How a chat is shown. */
export interface ConversationOptions {
  readonly chatId: string
  /** Whether a person can be asked. */
  readonly asks: boolean
  /** Whether only the text of answers goes to standard output. */
  readonly answerOnly: boolean
  /** Receives the events of every run that is shown. Default: nothing happens with them. */
  readonly onEvent?: (event: CommandEvent) => Promise<void>
}

const stopped: RunEnd = { status: 'cancelled', failure: undefined }

/** Follows the events of a chat from before its first message, and takes over Ctrl-C. */
export async function createConversation(context: CommandContext, options: ConversationOptions): Promise<Conversation> {
  const { request } = context
  const { chatId, asks, answerOnly, onEvent = async () => undefined } = options
  const closing = new AbortController()
  const interruption = createInterruption(context, closing.signal)
  const close = (): Promise<void> => {
    closing.abort(new DOMException('The conversation is over.', 'AbortError'))
    return interruption.ended
  }
  const opened = context.events({ query: { chat_id: chatId }, signal: closing.signal })
  const stream = await opened.catch(async (error: unknown) => {
    await close()
    throw error
  })
  const events = stream[Symbol.asyncIterator]()

  const follow = async (
    id: string,
    asked: readonly JsonObject[] = [],
    shown: readonly JsonObject[] = [],
  ): Promise<Pick<Answer, 'text' | 'end'>> => {
    interruption.runs(id)
    const prompts = createQuestionPrompts(context, { asks })
    const view = createConversationView(context, id, { answerOnly })
    await view.showMessages(shown)
    for (const question of asked) prompts.ask(question)
    const followed = followRun(context, events, view, prompts, { id, chatId, onEvent })
    const end = await Promise.race([followed, interruption.leaving.then(() => stopped)]).finally(prompts.close)
    return { text: view.answer(), end }
  }
  return {
    left: interruption.left,
    close,
    send: (content) =>
      interruption.during(async () => {
        const answer = (await request('POST', `/api/chats/${chatId}/messages`, { content })) as JsonObject
        const runId = String((answer['run'] as JsonObject)['id'])
        return { runId, ...(await follow(runId)) }
      }),
    resume: () =>
      interruption.during(async () => {
        const asked = await openQuestions(context, chatId)
        const chat = (await request('GET', `/api/chats/${chatId}`)) as JsonObject
        const runId = chat['active_run_id'] ?? asked[0]?.['run_id']
        if (typeof runId !== 'string') return
        const open = (await newestMessages(context, chatId, 10)).messages.filter(({ status }) => status === 'open')
        await follow(
          runId,
          asked.filter((question) => question['run_id'] === runId),
          open,
        )
      }),
  }
}
