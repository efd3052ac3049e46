import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  defineRoute,
  type HttpRoute,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import { ownerOf } from '../common/owner.js'
import { userTagCollection } from '../store/tags/tag.js'

const tagSchema = namedObject('ChatTag', {
  tag: Type.String({ description: 'As it was written in the first of these chats.' }),
  chats: Type.Integer({ minimum: 1, description: 'How many chats have it, archived ones included.' }),
})

/** The route that lists the caller's tags. */
export function createTagRoutes({ database }: { readonly database: Database }): readonly HttpRoute[] {
  const tags = database.collection(userTagCollection)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/tags',
      operationId: 'listChatTags',
      summary: "List the tags of the caller's chats",
      description: 'In alphabetical order, each with the number of its chats. Tags that differ in case alone are one tag.',
      tags: ['chats'],
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(tagSchema) } },
      async handle(request) {
        const { items, next_cursor } = await pageOfIndex(tags, { index: 'by_user', equals: [ownerOf(request)] }, request.query)
        return ok({ items: items.map(({ tag, chats }) => ({ tag, chats })), next_cursor })
      },
    }),
  ]
}
