import type { JsonObject } from '@agent-service/sdk'
import type { RunEvent } from '@agent-service/sdk/services/runs'

/** The most entries of one log. */
export const maxEntries = 2_000
const maxText = 4_000

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

/** What an event of a run says in a log; `undefined`: nothing. */
export function entryOf(event: RunEvent): JsonObject | undefined {
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
