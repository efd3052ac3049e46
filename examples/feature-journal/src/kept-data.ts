import { type Static, Type, validate } from '@agent-service/sdk'
import type { ChatPart } from '@agent-service/sdk/contracts/chat-part'
import { defineJob, type SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import { defineUserData, type UserData } from '@agent-service/sdk/contracts/user-data'
import type { Clock } from '@agent-service/sdk/services/clock'
import { all, type Entry, entries, type Journal, notebooks, ofChat, ofUser } from './store.js'

const exportedEntries = Type.Array(
  Type.Object({
    notebook: Type.String({ maxLength: 30 }),
    text: Type.String({ maxLength: 2_000 }),
    written_at: Type.Integer({ minimum: 0 }),
  }),
  { maxItems: 1_000 },
)
const plain = ({ notebook, text, written_at }: Entry) => ({ notebook, text, written_at })

/** The entries that came from a chat: they are deleted, exported and imported with it. */
export const createChatPart = (journal: Journal): ChatPart => ({
  specVersion: 1,
  id: 'feature-journal',
  title: 'Journal entries',
  async erase({ chatId }, { signal }) {
    for await (const { id } of all(journal.entries, ofChat(chatId), signal)) await journal.entries.delete(id)
  },
  async export({ chatId }, { signal }) {
    const kept: ReturnType<typeof plain>[] = []
    for await (const entry of all(journal.entries, ofChat(chatId), signal)) kept.push(plain(entry))
    return kept.length === 0 ? undefined : kept
  },
  async import({ chatId, userId }, data) {
    const [problem] = validate(exportedEntries, data)
    if (problem) throw new Error(`The journal entries do not fit: ${problem.path} ${problem.message}`)
    for (const [index, entry] of (data as Static<typeof exportedEntries>).entries()) {
      const id = `${chatId}-${String(index).padStart(4, '0')}`
      await journal.write({ ...entry, id, user_id: userId, chat_id: chatId })
    }
  },
})

/** All stored data of a user, for their export and their erasure. */
export const createUserData = (journal: Journal): UserData =>
  defineUserData({
    id: 'feature-journal',
    collections: [entries.name, notebooks.name],
    async *export(userId, { signal }) {
      for await (const entry of all(journal.entries, ofUser(userId), signal)) {
        yield { path: `journal/entries/${entry.id}.json`, json: plain(entry) }
      }
      for await (const { name } of all(journal.notebooks, ofUser(userId), signal)) {
        yield { path: `journal/notebooks/${name}.json`, json: { name } }
      }
    },
    async erase(userId, { signal }) {
      for await (const { id } of all(journal.entries, ofUser(userId), signal)) await journal.entries.delete(id)
      for await (const { id } of all(journal.notebooks, ofUser(userId), signal)) await journal.notebooks.delete(id)
    },
    async size(userId, { signal }) {
      let records = 0
      let bytes = 0
      for (const collection of [journal.entries, journal.notebooks]) {
        for await (const document of all<Entry | { readonly id: string }>(collection, ofUser(userId), signal)) {
          records += 1
          bytes += Buffer.byteLength(JSON.stringify(document))
        }
      }
      return { records, bytes }
    },
  })

/** Every night it removes what is older than the settings say. */
export const createPruning = (journal: Journal, clock: Clock, keepDays: number): SchedulerJob =>
  defineJob({
    id: 'feature-journal.prune',
    schedule: { cron: '30 3 * * *' },
    async run({ signal }) {
      const old = { index: 'by_time', to: clock.now() - keepDays * 86_400_000 }
      for await (const { id } of all(journal.entries, old, signal)) await journal.entries.delete(id)
    },
  })
