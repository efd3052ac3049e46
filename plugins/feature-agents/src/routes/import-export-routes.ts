import { namedObject, Type } from '@agent-service/sdk'
import { onStreamEnd } from '@agent-service/sdk/async'
import { actorKinds, created, defineRoute, type HttpRoute } from '@agent-service/sdk/contracts/http-route'
import type { Database } from '@agent-service/sdk/services/database'
import type { Limit } from '@agent-service/sdk/services/quotas'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import type { AgentChoice } from '../agents/agent-choice.js'
import { importInProgressError, noAgentError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownUndeleted } from '../common/own-document.js'
import { ownerOf } from '../common/owner.js'
import { chatDocumentSchema, omittedPartsSchema } from '../import-export/chat-document.js'
import { exportChat } from '../import-export/export-chat.js'
import { exportMarkdown } from '../import-export/export-markdown.js'
import type { Importer } from '../import-export/import-chat.js'
import type { ChatParts } from '../points/parts/chat-parts.js'
import { chatPartFailedError } from '../points/parts/chat-parts.js'
import { chatCollection, chatSchema, presentChat } from '../store/chats/chat.js'

const params = Type.Object({ chat_id: idSchema })
/** The chat, and the omitted parts of the document. */
const importedChatSchema = namedObject('ImportedChat', { ...chatSchema.properties, parts_left_out: Type.Optional(omittedPartsSchema) })
const tags = ['chats']
/** The most bytes of an imported document. */
const maxDocumentBytes = 32 * 1024 * 1024

/** The routes that export and import chats as files. */
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
      summary: 'Export a chat as a file',
      description:
        'As JSON with all branches and summaries, for `POST /api/chats/import`; or as Markdown with the texts of the branch that is shown. The file has no user ids and no data that only a vendor can read. Long tool results appear as the model saw them. Each user can run two exports at a time; a few more wait.',
      tags,
      auth: 'user',
      actors: actorKinds,
      includes: ['listMessages'],
      params,
      query: Type.Object({ format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('markdown')], { default: 'json' })) }),
      errors: [chatPartFailedError],
      answers: {
        200: { description: 'The file, as an attachment.', contentType: 'application/octet-stream', example: '# Plan for Saturday' },
      },
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
      summary: 'Import an exported chat',
      description:
        'Accepts a document from `GET /api/chats/{chat_id}/export` with at most 32 MiB and 50,000 messages. The chat gets new ids, and the caller’s agent with the handle in the document, or else their first one. Importing a document twice creates two chats. Each problem is reported with its path, and nothing is stored then. The import silently repairs lone surrogates (U+FFFD), times in the future (now), open messages (broken off), and links to pictures and files (text). A tool result without its call is kept but shown to no model. Data of a plugin that is not installed, or that cannot import it, is omitted and listed in `parts_left_out`.',
      tags,
      auth: 'user',
      includes: ['createChat'],
      rateClass: 'expensive',
      idempotent: true,
      body: { kind: 'json', schema: chatDocumentSchema, limit: maxDocumentBytes, illFormedTexts: 'repair' },
      errors: [importInProgressError, noAgentError, chatPartFailedError, quotaExceededError],
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
