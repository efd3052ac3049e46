import type { Schemas } from '../api/index.js'
import type { CallState, ChatStore, ResultPart } from './chat-store.js'

const maxLines = 400
/** The most of a call's output that is kept, in UTF-16 code units. */
const maxOutput = 200_000

export type LiveCalls = ReturnType<typeof createLiveCalls>

/** The tool calls of a chat: their times, what they print, make and answer. */
export function createLiveCalls({ state, set }: ChatStore) {
  const callOf = (callId: string): CallState => state.calls[callId] ?? { lines: [] }
  const change = (callId: string, news: Partial<CallState>): void => set('calls', callId, { ...callOf(callId), ...news })
  const answer = (callId: string, content: readonly ResultPart[], isError = false, outcome?: string): void =>
    change(callId, { result: { content, isError, unknown: outcome === 'unknown' } })
  const takeFiles = (callId: string, files: CallState['files']): void => {
    if (files) change(callId, { files })
  }
  return {
    answer,
    takeFiles,
    begin: (callId: string): void => change(callId, { startedAt: Date.now() }),
    end: (callId: string): void => change(callId, { finishedAt: Date.now() }),
    addLine: (callId: string, line: string): void => change(callId, { lines: [...callOf(callId).lines, line].slice(-maxLines) }),
    /** Output after a gap begins a new line; what is there already is left out. */
    addOutput(callId: string, { offset, text }: Schemas['ToolOutput']): void {
      const before = callOf(callId)
      const end = before.outputEnd ?? 0
      const fresh = offset >= end ? text : text.slice(end - offset)
      if (fresh === '') return
      const joined = `${before.output ?? ''}${offset > end ? '\n…\n' : ''}${fresh}`
      change(callId, { output: joined.slice(-maxOutput), outputEnd: offset + text.length })
    },
    /** Takes a call as it was read; what events have told of its output since may be more. */
    takeRead({ call_id, started_at, finished_at, is_error, outcome, content, files, output }: Schemas['RunCall']): void {
      if (content) answer(call_id, content, is_error, outcome)
      takeFiles(call_id, files)
      const isNewer = output && output.offset + output.text.length > (callOf(call_id).outputEnd ?? -1)
      change(call_id, {
        ...(started_at !== null && { startedAt: Date.parse(started_at) }),
        ...(finished_at !== null && { finishedAt: Date.parse(finished_at) }),
        ...(isNewer && { output: output.text, outputEnd: output.offset + output.text.length }),
      })
    },
  }
}
