import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, ok } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Collection } from '@agent-service/sdk/services/database'
import type { Share } from '../store/share.js'

const count = Type.Integer({ minimum: 0 })

/** What administrators see of the links of others: how many there are. */
export function createCountsRoute(dependencies: {
  readonly shares: Pick<Collection<Share>, 'query'>
  readonly clock: Pick<Clock, 'now'>
}): HttpRoute {
  const { shares, clock } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/admin/shares',
    operationId: 'countShares',
    summary: 'Count the links of all users',
    description: 'Only how many there are; what they lead to is for their owners.',
    tags: ['shares'],
    auth: 'admin',
    answers: {
      200: {
        description: 'The counts.',
        schema: namedObject('ShareCounts', {
          live: namedObject('LiveShareCounts', {
            files: count,
            chats: count,
            users: Type.Integer({ minimum: 0, description: 'With links.' }),
          }),
          expired: Type.Integer({ minimum: 0, description: 'Until the next clean-up.' }),
        }),
      },
    },
    async handle({ signal }) {
      const now = clock.now()
      const live = { file: 0, chat: 0 }
      const users = new Set<string>()
      let expired = 0
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const page = await shares.query({ index: 'by_expiry', limit: 200, ...(cursor === undefined ? {} : { cursor }) })
        for (const { kind, user_id, expires_at } of page.items) {
          if (Date.parse(expires_at) <= now) {
            expired += 1
            continue
          }
          live[kind] += 1
          users.add(user_id)
        }
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return ok({ live: { files: live.file, chats: live.chat, users: users.size }, expired })
    },
  })
}
