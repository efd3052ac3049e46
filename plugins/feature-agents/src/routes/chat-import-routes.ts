import { namedObject, Type } from '@agent-service/sdk'
import {
  actorKinds,
  created,
  defineRoute,
  type HttpRoute,
  invalidRequestError,
  ok,
  pageOfIndex,
  pageQuerySchema,
  pageSchema,
} from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { PolicyService } from '@agent-service/sdk/services/policy'
import { type UserFiles, type UserFilesOwner, userPathInvalidError } from '@agent-service/sdk/services/user-files'
import { v7 as uuidv7 } from 'uuid'
import type { AgentChoice } from '../agents/agent-choice.js'
import { noAgentError, tooManyChatImportsError } from '../common/errors.js'
import { idSchema } from '../common/id-schema.js'
import { ownDocument } from '../common/own-document.js'
import { ownerOf, principalOf } from '../common/owner.js'
import { type ChatImports, recordImport } from '../import-export/jobs/chat-imports.js'
import { personMay } from '../posting/find-file.js'
import { type ChatImport, chatImportCollection, chatImportSchema, isUnfinished, presentChatImport } from '../store/chats/chat-import.js'

const params = Type.Object({ import_id: idSchema })
const tags = ['chats']
/** How many imports of one person wait or run at most, and how many are kept to be shown. */
const maxUnfinished = 5
const maxKept = 20

const startSchema = namedObject('StartChatImport', {
  path: Type.String({
    minLength: 1,
    maxLength: 2_100,
    examples: ['files/imports/chatgpt-export.zip'],
    description: 'One of your files: `files/…` or `workspaces/…`. A ZIP archive as the product gives it, or its JSON.',
  }),
  remove_file: Type.Optional(Type.Boolean({ default: false, description: 'Whether the file is removed when the import is done.' })),
})

/** The routes under `/api/chats/imports`. */
export function createChatImportRoutes(dependencies: {
  readonly database: Database
  readonly events: Events
  readonly clock: Clock
  readonly files: UserFiles
  readonly policies: Pick<PolicyService, 'isAuthorized'>
  readonly agentChoice: Pick<AgentChoice, 'byHandle'>
  readonly imports: Pick<ChatImports, 'cancel'>
}): readonly HttpRoute[] {
  const { database, events, clock, agentChoice, imports } = dependencies
  const stored = database.collection(chatImportCollection)

  const begin = async (order: Pick<ChatImport, 'user_id' | 'handle' | 'path' | 'etag' | 'removes_file'>): Promise<ChatImport> => {
    const now = new Date(clock.now()).toISOString()
    const page = await stored.query({ index: 'by_user', equals: [order.user_id], order: 'descending', limit: 200 })
    if (page.items.filter(isUnfinished).length >= maxUnfinished) throw tooManyChatImportsError.create({ limit: maxUnfinished })
    const outdated = page.items.filter((each) => !isUnfinished(each)).slice(maxKept - 1)
    const begun: ChatImport = {
      ...order,
      ...{
        id: uuidv7(),
        state: 'waiting',
        product: null,
        bytes_done: 0,
        bytes_total: 0,
        imported: 0,
        existing: 0,
        skipped: 0,
        pictures: 0,
      },
      ...{ problems: [], problems_left_out: 0, failure: null, position: { file: 0, chats: 0 }, step: 0, created_at: now, updated_at: now },
    }
    await database.transaction(async (transaction) => {
      for (const { id } of outdated) transaction.delete(chatImportCollection, id)
      transaction.insert(chatImportCollection, begun)
      recordImport(events, transaction, begun)
    })
    return begun
  }

  return [
    defineRoute({
      method: 'POST',
      path: '/api/chats/imports',
      operationId: 'startChatImport',
      summary: 'Import the chats of ChatGPT, Claude, Open WebUI or LibreChat',
      description:
        'Upload the export with `POST /api/files/uploads` or `PUT /api/files/content`, then name its path. The product is recognised by the content. The chats are imported in the background, also after a restart of the service; `GET /api/chats/imports/{import_id}` and the event `chat_import.updated` tell how far it is. Each chat is imported once, however often it is in an export: one that is here is left as it is. Branches, pictures and times are kept; what cannot be imported is listed with its place in the file.',
      tags,
      auth: 'user',
      includes: ['createChat'],
      rateClass: 'expensive',
      idempotent: true,
      body: { kind: 'json', schema: startSchema },
      errors: [noAgentError, tooManyChatImportsError],
      answers: { 201: { description: 'The import. It waits, or runs already.', schema: chatImportSchema } },
      async handle(request) {
        const { userId, handle } = principalOf(request)
        const { path, remove_file = false } = request.body
        const found = await findFile(dependencies, { userId, handle }, path, remove_file)
        if ('problem' in found)
          throw invalidRequestError.create({ where: 'body' }, { problems: [{ path: '/path', message: found.problem }] })
        await agentChoice.byHandle(userId, null)
        return created(
          presentChatImport(await begin({ user_id: userId, handle, path: found.path, etag: found.etag, removes_file: remove_file })),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/imports',
      operationId: 'listChatImports',
      summary: 'List the imports of chats, the newest first',
      description: 'Those under way, and the last 20 that ended.',
      tags,
      auth: 'user',
      actors: actorKinds,
      query: pageQuerySchema,
      answers: { 200: { description: 'One page.', schema: pageSchema(chatImportSchema) } },
      async handle(request) {
        const place = { index: 'by_user', equals: [ownerOf(request)], order: 'descending' } as const
        const { items, next_cursor } = await pageOfIndex(stored, place, request.query)
        return ok({ items: items.map(presentChatImport), next_cursor })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/chats/imports/{import_id}',
      operationId: 'getChatImport',
      summary: 'See how far an import of chats is',
      description: 'With what could not be imported, and where in the file it is.',
      tags,
      auth: 'user',
      actors: actorKinds,
      params,
      answers: { 200: { description: 'The import.', schema: chatImportSchema } },
      async handle(request) {
        return ok(presentChatImport(ownDocument('import', await stored.get(request.params.import_id), ownerOf(request))))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/chats/imports/{import_id}/cancel',
      operationId: 'cancelChatImport',
      summary: 'End an import of chats',
      description: 'What was imported stays. One that has ended is left as it is.',
      tags,
      auth: 'user',
      params,
      answers: { 200: { description: 'The import.', schema: chatImportSchema } },
      async handle(request) {
        const ended = await imports.cancel(request.params.import_id, ownerOf(request))
        return ok(presentChatImport(ownDocument('import', ended, ownerOf(request))))
      },
    }),
  ]
}

/** The file that a person names, if they may read it, and change it where it is to be removed. */
async function findFile(
  { files, policies }: { readonly files: UserFiles; readonly policies: Pick<PolicyService, 'isAuthorized'> },
  owner: UserFilesOwner & { readonly userId: string },
  path: string,
  removes: boolean,
): Promise<{ readonly path: string; readonly etag: string } | { readonly problem: string }> {
  const [, subsystem, below] = /^(files|workspaces)\/(.+)$/s.exec(path) ?? []
  if (subsystem === undefined || below === undefined) return { problem: 'must name one of your files: files/… or workspaces/…' }
  try {
    const folder = files.folder(owner, { subsystem, links: 'refuse' })
    const real = (await folder.realPath(below)) ?? below
    const full = `${subsystem}/${real}`
    const mayUse =
      (await personMay(policies, owner, 'read_file', full)) && (!removes || (await personMay(policies, owner, 'write_file', full)))
    if (!mayUse) return { problem: 'names a file that the policies of this service do not allow you to use' }
    const file = await folder.stat(real)
    if (file?.kind !== 'file' || file.etag === undefined) return { problem: 'names a file that does not exist' }
    if (file.size === 0) return { problem: 'names a file that is empty' }
    return { path: full, etag: file.etag }
  } catch (error) {
    if (userPathInvalidError.isInstance(error)) return { problem: `is not a path: ${error.message}` }
    throw error
  }
}
