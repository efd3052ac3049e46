import type { JsonObject } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { entryOf, maxEntries } from '../parts/live-logs.js'
import type { TaskParts } from '../parts/task-parts.js'
import type { Execution } from '../store/execution.js'

/**
 * What happened in an execution, in order: its changes of state, and what its runs said and called.
 * Of a run at work it has what is stored so far.
 */
export async function executionLog(
  { runs, live }: Pick<TaskParts, 'runs' | 'live'>,
  execution: Execution,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const entries: { readonly at: string; readonly entry: JsonObject }[] = execution.transitions.map(({ state, at, note }) => ({
    at,
    entry: { at, kind: 'state', text: note === '' ? state : `${state}: ${note}` },
  }))
  for (const warning of execution.warnings)
    entries.push({ at: execution.created_at, entry: { at: execution.created_at, kind: 'warning', text: warning } })
  for (const { run_id, number, ended_at } of execution.attempts) {
    if (run_id === null || entries.length > maxEntries) continue
    const userId = execution.user_id
    const said = ended_at === null ? live.of(execution.id) : await runEntries({ runs }, { userId, runId: run_id }, signal)
    for (const entry of said) entries.push({ at: String(entry['at']), entry: { ...entry, attempt: number } })
  }
  return entries
    .map(({ at, entry }, index) => ({ at, entry, index }))
    .sort((a, b) => (a.at === b.at ? a.index - b.index : a.at < b.at ? -1 : 1))
    .slice(0, maxEntries)
    .map(({ entry }) => entry)
}

/** The stored events of a run that has ended. None of one whose chat was deleted. */
async function runEntries(
  { runs }: Pick<TaskParts, 'runs'>,
  { userId, runId }: { readonly userId: string; readonly runId: string },
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  try {
    for await (const event of runs.watch({ userId, runId }, { signal })) {
      const entry = entryOf(event)
      if (entry) entries.push(entry)
      if (event.type === 'finished' || entries.length >= maxEntries) break
    }
  } catch (error) {
    if (!notFoundError.isInstance(error)) throw error
  }
  return entries
}
