import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { EventSubscription } from '@agent-service/sdk/services/events'
import type { Run, Runs } from '@agent-service/sdk/services/runs'
import type { Journal } from './store.js'

/** The reference that identifies its runs. */
const kind = 'feature-journal.reflection'
const result = {
  name: 'reflection',
  schema: { type: 'object', properties: { text: { type: 'string', maxLength: 2_000 } }, required: ['text'] },
}

export type StartReflection = (userId: string, day: string, signal: AbortSignal) => Promise<Run>

/**
 * Starts a run of the user's agent that looks back on a day. The same day gives the same run, also
 * after a crash.
 */
export const createReflect =
  (runs: Pick<Runs, 'start'>): StartReflection =>
  async (userId, day, signal) => {
    const message = `Look back on ${day}, going by my journal. What should I take from it? Answer in three sentences at most.`
    const { run } = await runs.start(
      {
        userId,
        key: `${kind}/${day}`,
        chat: { title: `Reflection on ${day}` },
        message,
        tools: [],
        limits: { maxSeconds: 120 },
        result,
        reportsTo: { kind, id: day },
      },
      { signal },
    )
    return run
  }

/** Stores the outcome of each reflection exactly once, even if the service crashes. */
export function createReflectionSubscription(runs: Pick<Runs, 'get' | 'list'>, journal: Journal, log: Logger): EventSubscription {
  const keep = async (userId: string, run: Run): Promise<void> => {
    if (run.reportsTo?.kind !== kind || run.status !== 'completed' || run.result === null) return
    const { text } = run.result.value as { readonly text: string }
    const written_at = Date.parse(run.finishedAt ?? run.createdAt)
    // The run is the key: an event that comes again, or a gap, leads to the same entry.
    await journal.write({ id: `run-${run.id}`, user_id: userId, notebook: 'reflections', text, chat_id: run.chatId, written_at })
  }
  return {
    id: 'reflections',
    names: ['run.completed'],
    async handle(event) {
      if (event.kind === 'event') {
        if (!isOurs(event.data['reports_to'])) return
        const run = await runs.get({ userId: event.userId, runId: String(event.data['run_id']) }).catch(absentOnly)
        if (run) await keep(event.userId, run)
        return
      }
      if (event.userId === null) return log.warn('Reflections may be missing: the journal was switched off for too long.')
      let cursor: string | undefined
      do {
        const page = await runs.list({ userId: event.userId, limit: 200, ...(cursor !== undefined && { cursor }) })
        for (const run of page.items) await keep(event.userId, run)
        cursor = page.nextCursor
      } while (cursor !== undefined)
    },
  }
}

const isOurs = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind

/** The chat was deleted meanwhile, and its run with it. */
function absentOnly(error: unknown): undefined {
  if (!notFoundError.isInstance(error)) throw error
}
