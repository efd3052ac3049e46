import type { JsonObject } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { confirmDeletion, yesOption } from '../common/confirm.js'
import { chatArgument, chatPath } from './chat-paths.js'

/** Gives a chat another title. */
export const renameChatCommand = defineCommand({
  name: 'chats rename',
  summary: 'give a chat another title',
  arguments: [chatArgument, { name: 'title', description: 'its new title', required: true }],
  async run(context) {
    const title = context.arguments[1] ?? ''
    const chat = await context.request('PATCH', chatPath(context), { title })
    await context.print(`The chat is called “${String((chat as JsonObject)['title'])}”.`)
    return { status: 0, json: chat }
  },
})

/** Deletes a chat, which can be restored as long as the service keeps it. */
export const deleteChatCommand = defineCommand({
  name: 'chats delete',
  summary: 'delete a chat with all of its messages; “chats restore” brings it back for some days',
  arguments: [chatArgument],
  options: [yesOption],
  async run(context) {
    const { id, title } = (await context.request('GET', chatPath(context))) as JsonObject
    const what = `the chat “${String(title ?? id)}”`
    await confirmDeletion(context, what, { isRestorable: true })
    await context.request('DELETE', chatPath(context))
    await context.print(`Deleted ${what}.`)
    return { status: 0, json: { id: String(id), deleted: true } }
  },
})

/** Brings a deleted chat back. */
export const restoreChatCommand = defineCommand({
  name: 'chats restore',
  summary: 'restore a deleted chat; “chats list --deleted” lists them',
  arguments: [chatArgument],
  async run(context) {
    const id = encodeURIComponent(context.arguments[0] ?? '')
    const chat = (await context.request('POST', `/api/chats/bin/${id}/restore`)) as JsonObject
    await context.print(`Restored the chat “${String(chat['title'] ?? chat['id'])}”.`)
    return { status: 0, json: chat }
  },
})
