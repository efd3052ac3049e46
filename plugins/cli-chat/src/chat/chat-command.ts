import type { JsonObject } from '@agent-service/sdk'
import { type CliCommand, type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { eventsWithoutJsonError, temporaryWithChatError } from '../common/errors.js'
import { countOption, textOption } from '../common/options.js'
import { showMessages } from '../common/show-message.js'
import { waitingForPersonError } from './answer-questions.js'
import { type Conversation, createConversation } from './conversation.js'
import { newestMessages } from './follow-run.js'
import { type OpenChat, openChat } from './open-chat.js'
import { readMessage } from './read-message.js'

const maxHistory = 200

/**
 * A conversation in the terminal, including the agent's questions, or one message and its answer.
 * Ctrl-C stops the answer that is being written, and leaves at the prompt or when it is pressed
 * again; Ctrl-D and `/exit` leave, too.
 */
export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with an agent in this terminal',
  options: [
    { name: 'agent', description: 'which of your agents to use; default: the first', value: 'handle' },
    { name: 'chat', description: 'continue an earlier chat', value: 'id' },
    { name: 'temporary', description: 'a chat that is in no list, without memory, and deleted when it was left alone; not with --chat' },
    { name: 'history', description: 'how many earlier messages to show with --chat; default: 10', value: 'count' },
    { name: 'message', description: 'send one message, print the answer alone and exit; “-” reads standard input', value: 'text' },
    { name: 'events', description: 'with --json and one message: print every event of the answer as a line of JSON' },
  ],
  async run(context) {
    const history = countOption(context, 'history', { initial: 10, min: 0, max: maxHistory })
    if (context.options['events'] === true && !context.json) throw eventsWithoutJsonError.create({})
    const message = await readMessage(context)
    const { username } = (await context.request('GET', '/api/auth/me')) as JsonObject
    const earlier = textOption(context, 'chat')
    const temporary = context.options['temporary'] === true
    if (temporary && earlier !== undefined) throw temporaryWithChatError.create({})
    const chat = await openChat(context, { agent: textOption(context, 'agent'), chat: earlier, temporary })
    return message === undefined
      ? converse(context, chat, { username: String(username), history: earlier === undefined ? undefined : history })
      : sendOne(context, chat, message)
  },
})

type Result = ReturnType<CliCommand['run']>

/**
 * Sends one message; only its answer goes to standard output. The status is 1 unless it is
 * complete.
 */
async function sendOne(context: CommandContext, chat: OpenChat, message: string): Result {
  const conversation = await createConversation(context, {
    ...{ chatId: chat.id, asks: context.interactive, answerOnly: true },
    ...(context.options['events'] === true ? { onEvent: ({ name, data }) => context.record({ event: name, data }) } : {}),
  })
  try {
    const { runId, text, end } = await conversation.send(message)
    const { status, failure = null } = end
    return { status: status === 'completed' ? 0 : 1, json: { chat_id: chat.id, run_id: runId, status, answer: text, failure } }
  } finally {
    await conversation.close()
  }
}

/** `history`: how many messages of the earlier chat are shown; `undefined` for a new chat. */
async function converse(
  context: CommandContext,
  chat: OpenChat,
  { username, history }: { readonly username: string; readonly history: number | undefined },
): Result {
  await context.print(
    `Signed in as ${username}, chatting with ${chat.agent}. Ctrl-C stops an answer; Ctrl-D or /exit ends the conversation.`,
    { style: 'dim' },
  )
  const conversation = await createConversation(context, { chatId: chat.id, asks: true, answerOnly: false })
  try {
    if (history !== undefined) await showHistory(context, chat, history)
    await takeTurns(context, conversation, { resumes: history !== undefined })
  } finally {
    await conversation.close()
  }
  return { status: 0, json: { chat_id: chat.id } }
}

/** A message that is still being written is left to the run that follows. */
async function showHistory(context: CommandContext, { id, title }: OpenChat, count: number): Promise<void> {
  if (count === 0) return
  const page = await newestMessages(context, id, count)
  if (page.messages.length > 0) await context.print(`The last messages of “${title ?? id}”:`, { style: 'dim' })
  await showMessages(context, page)
}

/** Reads lines and sends them, one after the other, until the person leaves or the input ends. */
async function takeTurns(
  { readLine, warn, signal }: CommandContext,
  conversation: Conversation,
  { resumes }: { readonly resumes: boolean },
): Promise<void> {
  const { left } = conversation
  const orReport = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (waitingForPersonError.isInstance(error) || signal.aborted) throw error
      await warn(error instanceof Error ? error.message : String(error))
    }
  }
  if (resumes) await orReport(conversation.resume())
  while (!left.aborted) {
    const line = await readLine({ prompt: 'you> ', signal: left }).catch((error: unknown) => {
      if (signal.aborted || !left.aborted) throw error
      return undefined
    })
    const content = line?.trim()
    if (content === undefined || content === '/exit') return
    if (content !== '') await orReport(conversation.send(content))
  }
}
