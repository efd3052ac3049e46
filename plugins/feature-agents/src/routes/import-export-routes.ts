import { Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import { actorKinds, created, defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import type { Limit } from '@agent-service/sdk/services/quotas'
import type { AgentChoice } from '../agents/agent-choice.js'
import { idSchema } from '../common/id-schema.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { chatDocumentSchema, omittedPartsSchema } from '../import-export/chat-document.js'
import { exportChat } from '../import-export/export-chat.js'
import { exportMarkdown } from '../import-export/export-markdown.js'
import type { Importer } from '../import-export/import-chat.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import { chatCollection, chatSchema, presentChat } from '../store/chats/chat.js'

const params = Type.Object({ chat_id: idSchema })
/** The chat, and what of the document is not in it. */
const importedChatSchema = Type.Object({ ...chatSchema.properties, parts_left_out: Type.Optional(omittedPartsSchema) })
const tags = ['chats']
/** The most bytes of a document. */
const maxDocumentBytes = 32 * 1024 * 1024

/** Chats as files. */
export function createImportExportRoutes(dependencies: {
  readonly database: Database
  readonly agentChoice: AgentChoice
  readonly importer: Importer
  readonly parts: Pick<ChatParts, 'export'>
  /** The share of each user. */
  readonly exports: Limit
}): readonly HttpRoute[] {
  const { database, agentChoice, importer, parts, exports } = dependencies
  const chats = database.collection(chatCollection)
  return [
    defineRoute({
      method: 'GET',
      path: '/api/chats/{chat_id}/export',
      operationId: 'exportChat',
      summary: 'A chat as a file',
      description:
        'As JSON with all its branches and summaries, which `POST /api/chats/import` takes back; or as Markdown, what is said on the branch that is shown. Without ids of users, and without what only a vendor can read. Long results of tools are in it as the model saw them. Two exports of a user go on at a time; a few more wait.',
      tags,
      auth: 'user',
      actors: actorKinds,
      includes: ['listMessages'],
      params,
      query: Type.Object({ format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('markdown')], { default: 'json' })) }),
      answers: { 200: { description: 'The file, as an attachment.', contentType: 'application/octet-stream' } },
      async handle(request) {
        const { query, signal } = request
        const owner = ownerOf(request)
        const chat = ownUndeleted('chat', await chats.get(request.params.chat_id), owner)
        const hold = await exports.acquire(`user:${owner}`, 1, { signal })
        const markdown = query.format === 'markdown'
        const stream = markdown ? exportMarkdown(database, chat, signal) : exportChat({ database, parts }, chat, signal)
        return {
          status: 200,
          kind: 'stream',
          contentType: markdown ? 'text/markdown; charset=utf-8' : 'application/json',
          headers: { 'content-disposition': attachmentOf(chat.title, markdown ? 'md' : 'json'), 'x-content-type-options': 'nosniff' },
          stream: onStreamEnd(stream, () => hold.release()),
        }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/import',
      operationId: 'importChat',
      summary: 'Make a chat from an exported one',
      description:
        'Takes what `GET /api/chats/{chat_id}/export` gives, 32 MiB and 50,000 messages at most. The chat gets new ids, and the caller’s agent with the handle that the document names, else their first one. Imported twice it becomes two chats. What is wrong is told with its path, and nothing is stored then. Repaired without a word: broken characters (U+FFFD), times that are still to come (now), open messages (broken off), links to pictures and files (text). A tool’s result whose call is not there is kept and shown to no model. What a plugin that is not installed, or that cannot take it in, had kept about the chat is left out and named in `parts_left_out`.',
      tags,
      auth: 'user',
      includes: ['createChat'],
      rateClass: 'expensive',
      idempotent: true,
      body: { kind: 'json', schema: chatDocumentSchema, limit: maxDocumentBytes },
      answers: { 201: { description: 'The chat.', schema: importedChatSchema } },
      async handle(request) {
        const userId = ownerOf(request)
        const agent = await agentChoice.byHandle(userId, request.body.chat.agent)
        const { chat, omitted } = await importer.import(request.body, { userId, agentId: agent.id, signal: request.signal })
        return created({ ...presentChat(chat), ...(omitted.length > 0 && { parts_left_out: omitted }) })
      },
    }),
  ]
}

/** The name of the file, in ASCII for old clients and in full (RFC 6266, RFC 8187). */
function attachmentOf(title: string | null, extension: string): string {
  const base = (title ?? '')
    .replaceAll(/[\p{C}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  const name = `${base === '' ? 'chat' : base}.${extension}`
  const plain = name.replaceAll(/[^\x20-\x7e]|[%']/gu, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
