import { type Logger, type Problem, ServiceError } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf, type Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import type { UserFiles } from '@agent-service/sdk/services/user-files'
import type { AgentChoice } from '../../agents/agent-choice.js'
import { chatCollection } from '../../store/chats/chat.js'
import {
  type ChatImport,
  type ChatImportProblem,
  chatImportCollection,
  isUnfinished,
  maxProblems,
  presentProgress,
} from '../../store/chats/chat-import.js'
import { importedChatId, importedForeignChatCollection } from '../../store/chats/imported-chat.js'
import { exportUnreadableError } from '../exports/export-error.js'
import { type OpenExport, openExport } from '../exports/open-export.js'
import { createReadingThread, type ReadingThread } from '../exports/reading-thread.js'
import type { ReadChat } from '../exports/reading-worker.js'
import { maxChatBytes, splitChats } from '../exports/split-chats.js'
import type { Importer } from '../import-chat.js'
import type { FileStore } from './store-files.js'

/** How often progress is stored and published at most, in milliseconds, besides that of new chats. */
const progressEveryMs = 500
/** How many imports one process works on at a time. */
const maxConcurrent = 2
/** How often an import is tried again after an error of the service before it fails. */
const maxAttempts = 3

/** Imports the exports of other products. */
export interface ChatImports {
  /** Works on all imports that wait or were interrupted, until there are none. @throws the signal's reason. */
  run(signal: AbortSignal): Promise<void>
  /** Ends an import; what was imported stays. Undefined if the user has no such import. */
  cancel(id: string, userId: string): Promise<ChatImport | undefined>
}

interface ImportDependencies {
  readonly database: Database
  readonly events: Events
  readonly audit: Audit
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly files: UserFiles
  readonly agentChoice: Pick<AgentChoice, 'byHandle'>
  readonly importer: Pick<Importer, 'importForeign' | 'removePartsOf'>
  readonly fileStore: FileStore
  readonly createThread?: () => ReadingThread
}

/** The import was cancelled, erased, or taken over by another process. */
class NotMineError extends Error {}
/** The chat is there already: another import brought it meanwhile. */
class AlreadyThereError extends Error {}

export function createChatImports(dependencies: ImportDependencies): ChatImports {
  const { database, log } = dependencies
  const underWay = new Map<string, AbortController>()
  const attempts = new Map<string, number>()

  const work = async (stored: ChatImport, signal: AbortSignal): Promise<void> => {
    const controller = new AbortController()
    underWay.set(stored.id, controller)
    const importing = createImporting(dependencies, stored, AbortSignal.any([signal, controller.signal]))
    try {
      await importing.run()
      attempts.delete(stored.id)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof NotMineError || controller.signal.aborted) return
      if (exportUnreadableError.isInstance(error)) {
        await importing.fail(error.message)
        attempts.delete(stored.id)
        return
      }
      const failed = (attempts.get(stored.id) ?? 0) + 1
      attempts.set(stored.id, failed)
      log.warn('An import of chats was interrupted by an error.', { import: stored.id, user: stored.user_id, attempt: failed, error })
      if (failed < maxAttempts) return
      await importing.fail(ServiceError.isInstance(error) ? error.message : 'An error of the service ended it; its log has the cause.')
      attempts.delete(stored.id)
    } finally {
      underWay.delete(stored.id)
    }
  }

  /** The next one of a person for whom no other is under way. */
  const next = async (begun: Set<string>): Promise<ChatImport | undefined> => {
    for (const state of ['running', 'waiting'] as const)
      for await (const found of documentsOf(database, chatImportCollection, { index: 'by_state', equals: [state] }))
        if (!underWay.has(found.id) && !begun.has(found.user_id)) {
          begun.add(found.user_id)
          return found
        }
    return undefined
  }

  return {
    async run(signal) {
      // One of a person at a time, and one that was interrupted by an error waits for the next call.
      const begun = new Set<string>()
      const lanes = Array.from({ length: maxConcurrent }, async () => {
        for (let found = await next(begun); found; found = await next(begun)) await work(found, signal)
      })
      // All of them have ended then: the next call would not know of one that goes on.
      const ends = await Promise.allSettled(lanes)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    async cancel(id, userId) {
      const ended = await database.transaction(async (transaction) => {
        const stored = await transaction.get(chatImportCollection, id)
        if (stored?.user_id !== userId) return undefined
        if (!isUnfinished(stored)) return stored
        const changed: ChatImport = {
          ...stored,
          state: 'cancelled',
          step: stored.step + 1,
          updated_at: new Date(dependencies.clock.now()).toISOString(),
        }
        transaction.put(chatImportCollection, changed)
        recordImport(dependencies.events, transaction, changed)
        return changed
      })
      if (ended?.state === 'cancelled') underWay.get(id)?.abort()
      return ended
    },
  }
}

/** Tells the person how far an import is. */
export const recordImport = (events: Pick<Events, 'record'>, transaction: Transaction, stored: ChatImport): void =>
  events.record(transaction, { userId: stored.user_id, name: 'chat_import.updated', data: { import: presentProgress(stored) } })

/** One import while it is worked on. */
function createImporting(dependencies: ImportDependencies, begun: ChatImport, signal: AbortSignal) {
  const { database, events, audit, clock, log, files, agentChoice, importer, fileStore } = dependencies
  const { id, user_id: userId, handle } = begun
  let current = begun
  let pending: Partial<ChatImport> = {}
  let savedAt = 0
  let toldAt = 0

  /** Adds to what is stored with the next change. */
  const note = (change: Partial<ChatImport>): void => {
    pending = { ...pending, ...change }
  }
  const seen = (): ChatImport => ({ ...current, ...pending })
  const saveIn = async (transaction: Transaction, change: Partial<ChatImport>): Promise<ChatImport> => {
    const stored = await transaction.get(chatImportCollection, id)
    if (!stored || !isUnfinished(stored) || stored.step !== current.step)
      throw new NotMineError('The import is not worked on here any more.')
    const changed: ChatImport = { ...seen(), ...change, step: current.step + 1, updated_at: new Date(clock.now()).toISOString() }
    transaction.put(chatImportCollection, changed)
    if (!isUnfinished(changed) || clock.now() - toldAt >= progressEveryMs) recordImport(events, transaction, changed)
    return changed
  }
  const saved = (changed: ChatImport): void => {
    if (!isUnfinished(changed) || clock.now() - toldAt >= progressEveryMs) toldAt = clock.now()
    savedAt = clock.now()
    current = changed
    pending = {}
  }
  const save = async (change: Partial<ChatImport> = {}): Promise<void> =>
    saved(
      await database.transaction(async (transaction) => {
        const changed = await saveIn(transaction, change)
        if (!isUnfinished(changed)) {
          const { product, imported, existing, skipped, state } = changed
          audit.record(transaction, {
            kind: 'chats.imported',
            actor: { userId },
            subject: id,
            details: { product, state, imported, existing, skipped },
          })
        }
        return changed
      }),
    )
  const addProblems = (problems: readonly ChatImportProblem[]): Partial<ChatImport> => {
    const { problems: before, problems_left_out } = seen()
    const kept = [...before, ...problems].slice(0, maxProblems)
    return { problems: kept, problems_left_out: problems_left_out + before.length + problems.length - kept.length }
  }

  const run = async (): Promise<void> => {
    await importer.removePartsOf(begun)
    await save({ state: 'running' })
    const [, subsystem = '', path = ''] = /^([^/]+)\/(.+)$/s.exec(begun.path) ?? []
    const folder = files.folder({ handle }, { subsystem, links: 'refuse' })
    const agent = await agentChoice.byHandle(userId, null)
    const thread = (dependencies.createThread ?? createReadingThread)()
    const opened = await openExport(folder, path, begun.etag)
    try {
      note({ bytes_total: opened.parts.reduce((sum, { size }) => sum + size, 0) })
      for (const [index, part] of opened.parts.entries())
        if (index >= current.position.file) await readPart({ opened, index, part, thread, agentId: agent.id })
      await finish(() => folder.remove(path, { ifMatch: begun.etag }))
    } finally {
      opened.close()
      await thread.close()
    }
  }

  interface PartPlace {
    readonly opened: OpenExport
    readonly index: number
    readonly part: OpenExport['parts'][number]
    readonly thread: ReadingThread
    readonly agentId: string
  }

  const readPart = async ({ opened, index, part, thread, agentId }: PartPlace): Promise<void> => {
    const before = opened.parts.slice(0, index).reduce((sum, { size }) => sum + size, 0)
    const through = current.position.file === index ? current.position.chats : 0
    let read = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of part.open()) {
        signal.throwIfAborted()
        read += chunk.byteLength
        yield chunk
      }
    }
    for await (const { number: first, isWhole, line, json } of splitChats(counted(), { file: part.name })) {
      if (!isWhole && first <= through) continue
      const tooLarge: ReadChat = { title: null, problem: `it has more than ${maxChatBytes} bytes` }
      const chats = json ? await thread.read(json, clock.now(), signal) : [tooLarge]
      for (const [offset, chat] of chats.entries()) {
        const number = isWhole ? offset + 1 : first
        if (number <= through) continue
        note({ bytes_done: before + read })
        await takeChat(chat, { opened, agentId, file: part.name, line, number, position: { file: index, chats: number } })
      }
    }
    note({ bytes_done: before + part.size, position: { file: index + 1, chats: 0 } })
    await save()
  }

  interface ChatPlace {
    readonly opened: OpenExport
    readonly agentId: string
    readonly file: string
    readonly line: number
    readonly number: number
    /** Where the import is after this chat. */
    readonly position: ChatImport['position']
  }

  const takeChat = async (chat: ReadChat, place: ChatPlace): Promise<void> => {
    const { file, number, position } = place
    const problem = (kind: ChatImportProblem['kind'], message: string): ChatImportProblem => ({
      file,
      chat: number,
      title: chat.title,
      kind,
      message,
    })
    const skip = async (message: string): Promise<void> => {
      note({ ...addProblems([problem('skipped', message)]), skipped: seen().skipped + 1, position })
      if (clock.now() - savedAt >= progressEveryMs) await save()
    }
    const leave = async (notes: readonly string[]): Promise<void> => {
      note({ ...addProblems(notes.map((message) => problem('note', message))), existing: seen().existing + 1, position })
      if (clock.now() - savedAt >= progressEveryMs) await save()
    }
    if ('problem' in chat) {
      if (chat.fault !== undefined)
        log.error('A chat of an export could not be read.', { import: id, user: userId, file, chat: number, fault: chat.fault })
      return skip(chat.problem)
    }
    note({ product: seen().product ?? chat.product })
    const key = importedChatId(userId, chat.product, chat.id)
    const known = await database.collection(importedForeignChatCollection).get(key)
    if (known && (await isThere(known.chat_id))) {
      const isNewer = chat.updatedAt !== undefined && known.source_updated_at !== null && chat.updatedAt > known.source_updated_at
      return leave(
        isNewer
          ? ['it was continued there since it was imported; the chat here was left as it is. To import it anew, delete it here first']
          : [],
      )
    }
    try {
      const found = await fileStore.store(chat, { userId, handle, signal }, place.opened)
      const notes = [...chat.notes, ...found.notes].map((message) => problem('note', message))
      let changed = current
      await importer.importForeign(
        found.document,
        { userId, agentId: place.agentId, signal },
        {
          importId: id,
          attachments: found.attachments,
          async within(transaction, made) {
            const other = await transaction.get(importedForeignChatCollection, key)
            if (other && other.chat_id !== known?.chat_id && (await transaction.get(chatCollection, other.chat_id)))
              throw new AlreadyThereError('The chat was imported meanwhile.')
            transaction.put(importedForeignChatCollection, {
              ...{
                id: key,
                user_id: userId,
                product: chat.product,
                source_id: chat.id.slice(0, 1_000),
                source_updated_at: chat.updatedAt ?? null,
              },
              ...{ chat_id: made.id, imported_at: new Date(clock.now()).toISOString() },
            })
            const { imported, pictures } = seen()
            changed = await saveIn(transaction, {
              ...addProblems(notes),
              imported: imported + 1,
              pictures: pictures + found.stored,
              position,
            })
          },
        },
      )
      saved(changed)
    } catch (error) {
      if (error instanceof AlreadyThereError) return leave([])
      if (!invalidRequestError.isInstance(error)) throw error
      return skip(reasonOf(error.problems))
    }
  }

  const isThere = async (chatId: string): Promise<boolean> => {
    const chat = await database.collection(chatCollection).get(chatId)
    return chat !== undefined && !chat.deleting
  }

  const finish = async (removeFile: () => Promise<boolean>): Promise<void> => {
    const { imported, existing, skipped } = seen()
    if (imported + existing === 0) {
      const reason = skipped > 0 ? 'none of its chats could be read' : 'it has no chats'
      return fail(`No chat of ChatGPT, Claude, Open WebUI or LibreChat was imported: ${reason}.`)
    }
    await save({ state: 'done' })
    // The import is done whether or not the file can still be removed: it is the person's own.
    if (begun.removes_file)
      await removeFile().catch((error: unknown) => log.warn('The file of an import was not removed.', { import: id, error }))
  }
  const fail = async (failure: string): Promise<void> => {
    try {
      await save({ state: 'failed', failure })
    } catch (error) {
      if (!(error instanceof NotMineError)) throw error
    }
  }
  return { run, fail }
}

const reasonOf = (problems: readonly Problem[]): string => {
  const [first] = problems
  return first
    ? `${first.path.slice(1).replace(/^messages\/(\d+)/, (_, index: string) => `message ${Number(index) + 1}`)} ${first.message}`
    : 'it breaks the rules of chats'
}
