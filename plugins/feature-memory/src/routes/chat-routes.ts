import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok } from '@agent-service/sdk/contracts/http-route'
import type { Chats } from '@agent-service/sdk/services/chats'
import type { ChatChoices } from '../chats/chat-choice.js'
import type { ChooseForChat } from '../chats/choose-for-chat.js'
import { userOf } from '../common/caller.js'
import { chatOfGuestsError } from '../common/errors.js'

const tags = ['memory']
const params = Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 200 }) })
const choiceSchema = namedObject('ChatMemory', {
  chat_id: Type.String(),
  remember: Type.Boolean({ description: 'Whether something of this chat may be remembered.', examples: [true] }),
})

/** Whether a chat is remembered. */
export function createChatRoutes(dependencies: {
  readonly chats: Pick<Chats, 'messages'>
  readonly choices: Pick<ChatChoices, 'isRemembered'>
  readonly choose: ChooseForChat
}): readonly HttpRoute[] {
  const { chats, choices, choose } = dependencies
  const requireChat = async (userId: string, chatId: string, signal: AbortSignal): Promise<{ readonly guests: boolean }> => {
    const chat = await chats.messages({ userId, chatId, from: 0, limit: 0 }, { signal })
    if (chat === undefined || chat.hidden) throw notFoundError.create({ what: 'chat' })
    return chat
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/api/memory/chats/{chat_id}',
      operationId: 'getChatMemory',
      summary: 'Read whether a chat is remembered',
      tags,
      auth: 'user',
      params,
      errors: [notFoundError],
      answers: { 200: { description: 'The choice.', schema: choiceSchema } },
      async handle(request) {
        const userId = userOf(request)
        const { chat_id } = request.params
        const { guests } = await requireChat(userId, chat_id, request.signal)
        return ok({ chat_id, remember: !guests && (await choices.isRemembered(userId, chat_id)) })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/memory/chats/{chat_id}',
      operationId: 'setChatMemory',
      summary: 'Choose whether a chat is remembered',
      description:
        'With `remember: false` nothing that is said in the chat from then on is learnt, and its agent cannot remember anything in it. What was learnt before stays; forget it if you want to. The agent still knows what it knew. A chat in which guests write is never remembered.',
      tags,
      auth: 'user',
      params,
      body: { kind: 'json', schema: Type.Object({ remember: Type.Boolean() }), example: { remember: false } },
      errors: [notFoundError, chatOfGuestsError],
      answers: { 200: { description: 'The choice.', schema: choiceSchema } },
      async handle(request) {
        const userId = userOf(request)
        const { chat_id } = request.params
        const { remember } = request.body
        if ((await requireChat(userId, chat_id, request.signal)).guests && remember) throw chatOfGuestsError.create({})
        await choose({ userId, chatId: chat_id, remember })
        return ok({ chat_id, remember })
      },
    }),
  ]
}
