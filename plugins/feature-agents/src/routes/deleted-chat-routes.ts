import { Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, noContent, ok, pageQuerySchema } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import { eraseDeletedChat, listDeletedChats, restoreChat } from '../chats/deleted-chats.js'
import type { ErasingParts } from '../chats/erase-chat.js'
import { idSchema } from '../common/id-schema.js'
import { ownerOf } from '../common/owner.js'
import type { AgentSettings } from '../configuration.js'
import { chatPartFailedError } from '../points/parts/chat-parts.js'
import { chatSchema, presentChat } from '../store/chats/chat.js'
import { deletedChatPageSchema } from '../store/chats/deleted-chat.js'

const params = Type.Object({ chat_id: idSchema })
const tags = ['chats']

/** The routes of deleted chats, which can be restored for some days. */
export function createDeletedChatRoutes(
  dependencies: ErasingParts & { readonly audit: Pick<Audit, 'record'>; readonly settings: Required<AgentSettings> },
): readonly HttpRoute[] {
  const { database, settings } = dependencies
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/bin',
      operationId: 'listDeletedChats',
      summary: 'List the deleted chats that can be restored, the latest first',
      description: 'Each is deleted for good after its `erased_at`. Until then it counts as stored.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: deletedChatPageSchema } },
      handle: async (request) =>
        ok(await listDeletedChats(database, { userId: ownerOf(request), keepDays: settings.deleted_chats_days }, request.query)),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/bin/{chat_id}/restore',
      operationId: 'restoreChat',
      summary: 'Restore a deleted chat',
      description:
        'It is listed again where it was, with its tags, its space if that is still there, and its links. A run that its deletion stopped stays stopped.',
      tags,
      auth: 'user',
      params,
      answers: { 200: { description: 'The chat.', schema: chatSchema } },
      handle: async (request) =>
        ok(presentChat(await restoreChat(dependencies, { chatId: request.params.chat_id, userId: ownerOf(request) }))),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/chats/bin/{chat_id}',
      operationId: 'eraseChat',
      summary: 'Delete a deleted chat for good',
      description: 'With all that belongs to it, and what was remembered of it alone. If it is interrupted, the service finishes it.',
      tags,
      auth: 'user',
      params,
      errors: [chatPartFailedError],
      answers: { 204: { description: 'It is gone.' } },
      async handle(request) {
        await eraseDeletedChat(dependencies, { chatId: request.params.chat_id, userId: ownerOf(request), signal: request.signal })
        return noContent()
      },
    }),
  ]
}
