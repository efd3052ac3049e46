import { namedObject, Type } from '@agent-service/sdk'
import { actorKinds, defineRoute, type HttpRoute, ok, pageQuerySchema, pageSchema } from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { inTurn } from '../common/heavy-work.js'
import { ownerOf } from '../common/owner.js'
import { searchChats } from '../search/search-chats.js'
import { snippetSchema } from '../search/snippet.js'

const hitSchema = namedObject('SearchHit', {
  chat_id: Type.String(),
  chat_title: Type.Union([Type.String(), Type.Null()]),
  archived: Type.Boolean(),
  message_id: Type.Optional(Type.String({ description: 'Absent: the words are in the title.' })),
  role: Type.Optional(Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('tool')])),
  branch_id: Type.Optional(Type.String({ description: 'The branch that the message was written in.' })),
  sequence: Type.Optional(Type.Integer()),
  snippet: snippetSchema,
  created_at: Type.String(),
})

/** The route that searches the caller's chats. */
export function createSearchRoutes({
  database,
  searches,
}: {
  readonly database: Database
  /** The share of each user. */
  readonly searches: Limit
}): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/search',
      operationId: 'searchChats',
      summary: "Search the caller's chats",
      description:
        'Searches the titles and the texts of people and agents, in every branch. Titles come first, and the newest hits first in each. All words must occur, in any order; “…” is a phrase, and the last word may be a prefix. Case and accents are ignored. Archived chats are found and marked; tool results and reasoning are not searched. A page may have fewer hits than `limit`, or none, while `next_cursor` shows that there is more. Each user can run two searches at a time; a few more wait.',
      tags: ['chats'],
      auth: 'user',
      actors: actorKinds,
      includes: ['listMessages'],
      query: Type.Object({
        ...pageQuerySchema.properties,
        q: Type.String({ minLength: 1, maxLength: 1_000, description: 'The words to search for.' }),
      }),
      answers: { 200: { description: 'One page.', schema: pageSchema(hitSchema) } },
      async handle(request) {
        const { q, limit = 50, cursor } = request.query
        const { signal } = request
        const userId = ownerOf(request)
        const page = await inTurn(searches, userId, signal, () => searchChats(database, { userId, text: q, limit, cursor, signal }))
        return ok({ items: [...page.items], next_cursor: page.next_cursor })
      },
    }),
  ]
}
