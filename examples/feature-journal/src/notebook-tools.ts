import { EventEmitter, on } from 'node:events'
import type { SourceTool, ToolSource, ToolSourceChange } from '@agent-service/sdk/contracts/tool-source'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Journal, ofUser } from './store.js'

/** Reports whose notebooks have changed. */
export interface NotebookChanges {
  report(userId: string): void
  listen(signal: AbortSignal): AsyncIterable<ToolSourceChange>
}

export function createNotebookChanges(): NotebookChanges {
  const emitter = new EventEmitter()
  return {
    report: (userId) => void emitter.emit('change', userId),
    async *listen(signal) {
      for await (const [userId] of on(emitter, 'change', { signal })) yield { userId: String(userId) }
    },
  }
}

const prefix = 'write_in_'
const error = (text: string) => ({ isError: true, content: [{ type: 'text', text }] }) as const

const toolOf = (notebook: string): SourceTool => ({
  name: prefix + notebook,
  title: `Write in ${notebook}`,
  description: `Writes an entry into the person's notebook “${notebook}”.`,
  parameters: { type: 'object', properties: { text: { type: 'string', maxLength: 2_000 } }, required: ['text'] },
  effect: 'idempotent',
})

/** One tool for each notebook that a person has: `feature_journal__write_in_garden`. */
export const createNotebookTools = (journal: Journal, clock: Clock, changes: NotebookChanges): ToolSource => ({
  specVersion: 1,
  id: 'feature-journal',
  title: 'Journal',
  supports: { probe: false },
  async tools({ userId }) {
    const { items } = await journal.notebooks.query({ ...ofUser(userId), limit: 50 })
    return items.map(({ name }) => toolOf(name))
  },
  changes: ({ signal }) => changes.listen(signal),
  async execute(tool, { text }, { userId, chatId, callId }) {
    const notebook = tool.slice(prefix.length)
    const known = tool.startsWith(prefix) && (await journal.notebooks.get(`${userId}/${notebook}`))
    if (!known) return error(`The tool “${tool}” no longer exists.`)
    if (typeof text !== 'string' || text.length === 0 || text.length > 2_000) return error('“text” must have 1 to 2,000 characters.')
    await journal.write({ id: `call-${callId}`, user_id: userId, notebook, text, chat_id: chatId, written_at: clock.now() })
    return { content: [{ type: 'text', text: `Written into “${notebook}”.` }] }
  },
})
