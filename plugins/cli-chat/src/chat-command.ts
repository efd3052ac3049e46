import type { JsonObject } from '@agent-service/sdk'
import { type CommandContext, defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { waitingForPersonError } from './answer-questions.js'
import { type Conversation, createConversation } from './conversation.js'
import { openChat } from './open-chat.js'

/**
 * A conversation in the terminal, including the agent's questions. Ctrl-C stops the answer that is
 * being written, and ends the program only at the prompt; Ctrl-D and `/exit` end it, too.
 */
export const chatCommand = defineCommand({
  name: 'chat',
  summary: 'chat with an agent in this terminal',
  options: [
    { name: 'agent', description: 'which of your agents to use; default: the first', value: 'handle' },
    { name: 'chat', description: 'continue an earlier chat', value: 'id' },
    { name: 'message', description: 'send one message, print the answer and exit', value: 'text' },
  ],
  async run(context) {
    const { request, print } = context
    const { agent, chat: earlier, message } = textOptions(context)
    const { username } = (await request('GET', '/api/auth/me')) as JsonObject
    const chat = await openChat(context, { agent, chat: earlier })
    await print(
      `Signed in as ${String(username)}, chatting with ${chat.agent}. Ctrl-C stops an answer; Ctrl-D or /exit ends the conversation.`,
      { style: 'dim' },
    )
    const conversation = await createConversation(context, { chatId: chat.id, asks: message === undefined || context.interactive })
    try {
      if (message !== undefined) await conversation.send(message)
      else await converse(context, conversation, { waits: earlier !== undefined })
    } finally {
      await conversation.close()
    }
    return { status: 0, json: { chat_id: chat.id } }
  },
})

const textOptions = ({ options }: CommandContext): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]))

/** Reads lines and sends them, one after the other, until the input ends. */
async function converse(
  { readLine, print, warn, signal }: CommandContext,
  conversation: Conversation,
  { waits }: { readonly waits: boolean },
): Promise<void> {
  const orReport = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (waitingForPersonError.isInstance(error) || signal.aborted) throw error
      await warn(error instanceof Error ? error.message : String(error))
    }
  }
  if (waits) await orReport(conversation.resume())
  for (;;) {
    const line = await readLine({ prompt: 'you> ', signal: conversation.atPrompt }).catch((error: unknown) => {
      if (signal.aborted || !conversation.atPrompt.aborted) throw error
      return undefined
    })
    if (conversation.atPrompt.aborted) await print('')
    const content = line?.trim()
    if (content === undefined || content === '/exit') return
    if (content !== '') await orReport(conversation.send(content))
  }
}
