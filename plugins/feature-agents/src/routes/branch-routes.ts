import { Type } from '@agent-service/sdk'
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
import { idSchema } from '../common/id-schema.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { type Branch, branchCollection, branchSchema, firstBranch } from '../store/chats/branch.js'
import { withCurrentLength } from '../store/chats/branch-list.js'
import { type Chat, chatCollection, firstLine } from '../store/chats/chat.js'
import { type Message, messageCollection } from '../store/chats/message.js'

/** The list of a chat's branches. Switching branches is a change of the chat. */
export function createBranchRoutes({ database }: { readonly database: Database }): readonly HttpRoute[] {
  const chats = database.collection(chatCollection)
  const branches = database.collection(branchCollection)
  const messages = database.collection(messageCollection)

  const present = async (chat: Chat, { user_id: _, path: __, length, ...branch }: Branch) => {
    const first = await messages.find('by_branch', [branch.id, branch.fork?.sequence ?? 0])
    return { ...branch, message_count: length, current: branch.id === chat.branch_id, first_line: first ? lineOf(first) : null }
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/branches',
      operationId: 'listBranches',
      summary: 'List the branches of a chat, by number',
      description:
        'A new chat has one branch. `PATCH /api/chats/{chat_id}` with `branch_id` shows another one; `GET …/messages?branch_id=` reads a branch without showing it.',
      tags: ['chats'],
      auth: 'user',
      actors: actorKinds,
      params: Type.Object({ chat_id: idSchema }),
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(branchSchema) } },
      async handle(request) {
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), ownerOf(request))
        const page =
          chat.branch_count === 1
            ? { items: [firstBranch(chat)], next_cursor: null }
            : await pageOfIndex(branches, { index: 'by_chat', equals: [chat.id] }, request.query)
        const items = []
        // Read one after the other: a message may be large, but only its first line is kept.
        for (const branch of page.items) items.push(await present(chat, withCurrentLength(chat, branch)))
        return ok({ items, next_cursor: page.next_cursor })
      },
    }),
  ]
}

const lineOf = ({ content }: Message): string | null => {
  const text = content.find((part) => part.type === 'text' && part.text.trim() !== '')
  return text?.type === 'text' ? firstLine(text.text) : null
}
