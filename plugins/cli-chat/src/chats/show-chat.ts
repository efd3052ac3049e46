import type { JsonObject } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { countOption } from '../common/options.js'
import { messagePageOf, showMessages } from '../common/show-message.js'
import { chatArgument, chatPath } from './chat-paths.js'

const maxShown = 200

/** Shows the last messages of a chat. */
export const showChatCommand = defineCommand({
  name: 'chats show',
  summary: 'show the last messages of a chat',
  arguments: [chatArgument],
  options: [{ name: 'history', description: 'how many messages to show; default: 50', value: 'count' }],
  async run(context) {
    const count = countOption(context, 'history', { initial: 50, min: 1, max: maxShown })
    const chat = (await context.request('GET', chatPath(context))) as JsonObject
    const all = Number(chat['message_count'])
    const page = all === 0 ? {} : await context.request('GET', `${chatPath(context)}/messages?before=${all}&limit=${count}`)
    const { messages, runs, branchId } = messagePageOf(chat, page)
    await context.print(String(chat['title'] ?? 'New chat'), { style: 'bold' })
    if (all > messages.length) await context.print(`(${all - messages.length} earlier messages)`, { style: 'dim' })
    await showMessages(context, { messages, runs, branchId })
    return { status: 0, json: { chat, messages: [...messages], runs: [...runs] } }
  },
})
