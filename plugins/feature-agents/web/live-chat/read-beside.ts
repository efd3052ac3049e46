import { batch } from 'solid-js'
import { api } from '../api/index.js'
import type { ChatParts } from './chat-handlers.js'
import type { Chat } from './chat-store.js'
import { orLeftOut } from './left-out.js'
import { readAsked } from './read-asked.js'

/** Reads what stands beside the messages of a chat. */
export function createReadBeside(chatId: string, { store, calls, facts, context }: ChatParts) {
  const { state, set } = store
  /** What the person has approved, and allowed with that. */
  const readApproved = (): Promise<void> => orLeftOut(readAsked(chatId, 'approved').then((found) => set('asked', found)))
  /** Whether the run was stopped, perhaps in another tab. */
  const readStopping = async (runId: string): Promise<void> => {
    await facts.readOne(runId)
    const asked = facts.run(runId)?.cancel_requested_at ?? null
    if (asked !== null && state.chat?.active_run_id === runId) set('stopping', true)
  }
  /** When the calls of a run began and ended, and what those in progress have printed. */
  const readCalls = (runId: string): Promise<void> =>
    orLeftOut(
      api.get('/api/runs/{run_id}/calls', { path: { run_id: runId } }).then((found) => batch(() => found.calls.forEach(calls.takeRead))),
    )
  return {
    readCalls,
    /** The chat does not wait for it. */
    async read(chat: Chat): Promise<void> {
      const running = typeof chat.active_run_id === 'string' ? chat.active_run_id : undefined
      await Promise.all([
        ...[facts.readCosts(), context.read(), readApproved()],
        running !== undefined && Promise.all([readCalls(running), readStopping(running)]),
      ])
    },
  }
}
