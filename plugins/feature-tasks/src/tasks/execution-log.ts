import type { JsonObject } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { RunEvent } from '@agent-service/sdk/services/runs'
import type { TaskParts } from '../engine/task-parts.js'
import type { Execution } from '../store/execution.js'

/** The most entries of one log. */
const maxEntries = 2_000
const maxText = 4_000

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

/** What the runs at work in this process have done so far, by the execution. */
export interface LiveLogs {
  begin(executionId: string): void
  add(executionId: string, event: RunEvent): void
  of(executionId: string): readonly JsonObject[]
  end(executionId: string): void
}

export function createLiveLogs(): LiveLogs {
  const logs = new Map<string, JsonObject[]>()
  return {
    begin: (id) => void logs.set(id, []),
    add(id, event) {
      const log = logs.get(id)
      const entry = log && log.length < maxEntries ? entryOf(event) : undefined
      if (log && entry) log.push(entry)
    },
    of: (id) => logs.get(id) ?? [],
    end: (id) => void logs.delete(id),
  }
}

function entryOf(event: RunEvent): JsonObject | undefined {
  switch (event.type) {
    case 'message':
      return event.text === '' ? undefined : { at: event.at, kind: 'message', text: event.text.slice(0, maxText) }
    case 'tool.started':
      return { at: event.at, kind: 'tool', text: `${event.name}: ${event.purpose ?? 'called'}` }
    case 'tool.finished':
      return { at: event.at, kind: event.isError ? 'error' : 'tool', text: `${event.name}: ${event.isError ? 'failed' : 'done'}` }
    case 'question.asked':
      return { at: event.at, kind: 'question', text: event.kind === 'approval' ? 'It asks whether a call may run.' : 'It asks a question.' }
    case 'question.resolved':
      return { at: event.at, kind: 'question', text: `The question was ${event.outcome}.` }
    case 'result.refused':
      return { at: event.at, kind: 'error', text: `The result did not fit: ${event.problems.slice(0, maxText)}` }
    case 'finished':
      return {
        at: event.at,
        kind: event.run.status === 'completed' ? 'state' : 'error',
        text: event.run.failure?.message ?? `The run ${event.run.status}.`,
      }
    default:
      return undefined
  }
}
