import type { Logger } from '@agent-service/sdk'
import type { HandOverItem, UserData, UserDataRecord } from '@agent-service/sdk/contracts/user-data'
import type { Database } from '@agent-service/sdk/services/database'
import type { MemoryCalls } from './backend/memory-calls.js'
import { type ChatChoices, chatChoiceCollection } from './chats/chat-choice.js'
import { limits } from './common/limits.js'
import { memoryRemainsError } from './migration/erase-copies.js'
import { migratedUserCollection } from './migration/migration-store.js'

/**
 * The chats that are not to be remembered, and the memories of a back end whose plugin has no
 * `user.data` of its own, in the neutral format. Every back end that runs is told to erase a user,
 * and every one that may have a copy of theirs.
 */
export function createMemoryUserData(dependencies: {
  readonly database: Database
  readonly choices: Pick<ChatChoices, 'excluded' | 'decisions'>
  /** The back end in use, and one to which memories are being copied. */
  readonly backends: () => readonly MemoryCalls[]
  /** Whether the plugin of this back end exports what it keeps itself. */
  readonly hasOwnData: (backend: string) => boolean
  /** Before anything of the user is erased. */
  readonly onEraseBegin: (userId: string) => Promise<void>
  readonly onErase: (userId: string, signal: AbortSignal) => Promise<void>
  /** What is remembered of the user's texts counts no more: the account may go on. */
  readonly onErased: (userId: string) => void
  readonly log: Pick<Logger, 'warn'>
}): UserData {
  const { database, choices, backends, hasOwnData, onEraseBegin, onErase, onErased, log } = dependencies
  const running = (): readonly MemoryCalls[] => backends().filter((calls) => calls.state().available)
  const exported = (): MemoryCalls | undefined => running().find(({ id }) => !hasOwnData(id))
  const recordsOf = (calls: MemoryCalls, userId: string, signal: AbortSignal) =>
    calls.stream({ what: 'export', signal }, (backend, limited) => backend.export(userId, { signal: limited }))

  async function* records(userId: string, signal: AbortSignal): AsyncGenerator<UserDataRecord> {
    let count = 0
    const calls = exported()
    if (calls)
      for await (const record of recordsOf(calls, userId, signal)) {
        count += 1
        yield { path: `memory/records/${String(count).padStart(6, '0')}.json`, json: JSON.parse(JSON.stringify(record)) }
      }
    for await (const { chatId, at: since } of choices.excluded(userId))
      yield { path: `memory/excluded_chats/${chatId}.json`, json: { chat_id: chatId, since } }
  }

  const eraseAll = async (userId: string, signal: AbortSignal): Promise<void> => {
    for (const calls of running())
      await calls.call({ what: 'erase', signal, limitMs: limits.transferMs }, (backend, limited) =>
        backend.erase(userId, { signal: limited }),
      )
    for await (const { chatId } of choices.decisions(userId)) await database.collection(chatChoiceCollection).delete(chatId)
    onErased(userId)
    await onErase(userId, signal)
  }

  return {
    specVersion: 1,
    id: 'memory',
    collections: [chatChoiceCollection.name, migratedUserCollection.name],
    shownBy: ['listMemories', 'getMemory', 'exportMemories', 'listMemoryRevisions', 'listMemoryPasses', 'getChatMemory'],
    export: (userId, { signal }) => records(userId, signal),
    async erase(userId, { signal }) {
      await onEraseBegin(userId)
      await eraseAll(userId, signal)
    },
    async handOver(userId, { signal, setAside }) {
      let count = 0
      for await (const record of records(userId, signal)) {
        await setAside(record)
        count += 1
      }
      const taken: HandOverItem = { what: 'memories and choices for chats', count, outcome: 'set_aside' }
      try {
        await eraseAll(userId, signal)
        return [taken]
      } catch (error) {
        // A back end that cannot run instructs no agent; its new holder is not kept out for it.
        if (!memoryRemainsError.isInstance(error)) throw error
        log.warn('Memories of a former holder of an account remain in a back end that cannot run.', { user_id: userId, error })
        return [taken, { what: 'stores of memories that do not run', count: 1, outcome: 'kept' }]
      }
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      const calls = exported()
      if (calls)
        for await (const record of recordsOf(calls, userId, signal)) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(record))
        }
      for await (const { chatId } of choices.decisions(userId)) {
        records += 1
        bytes += chatId.length
      }
      return { records, bytes }
    },
  }
}
