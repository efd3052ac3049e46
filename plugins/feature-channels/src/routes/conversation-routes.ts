import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { ConnectionService } from '../connections/connection-service.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { conversationCollection } from '../store/conversation.js'
import { connectionParams, routeSets, tags } from './connection-routes.js'
import { conversationSchema, viewOfConversation } from './conversation-schema.js'

/** The conversations of a person's own connection. Those of a shared one are chats of others. */
export function createConversationRoutes({
  database,
  connections,
}: Pick<ChannelParts, 'database'> & { readonly connections: Pick<ConnectionService, 'demand'> }): readonly HttpRoute[] {
  return routeSets
    .filter(({ auth }) => auth === 'user')
    .map(({ prefix, auth, word, ownerOf }) =>
      defineRoute({
        method: 'GET',
        path: `${prefix}/{connection_id}/conversations`,
        operationId: `list${word}Conversations`,
        summary: 'List the conversations of a connection',
        description: 'Each with the chat that it is. In no particular order.',
        tags,
        auth,
        params: Type.Object(connectionParams),
        query: pageQuerySchema,
        errors: [notFoundError],
        answers: { 200: { description: 'One page.', schema: pageSchema(conversationSchema) } },
        async handle({ params: { connection_id: id }, query: { limit = 50, cursor }, ...request }) {
          await connections.demand(ownerOf(request), id)
          const page = await database
            .collection(conversationCollection)
            .query({ index: 'by_connection', equals: [id], limit, ...(cursor !== undefined && { cursor }) })
          return ok({ items: page.items.map(viewOfConversation), next_cursor: page.nextCursor ?? null })
        },
      }),
    )
}
