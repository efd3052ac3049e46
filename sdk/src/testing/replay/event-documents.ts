import type { JsonValue } from '../../core/json.js'

/**
 * The JSON documents of the whole events of a stream of server-sent events; `[DONE]` is skipped.
 */
export const eventDocuments = (stream: string): readonly JsonValue[] =>
  stream
    .split(/\r?\n\r?\n/)
    .slice(0, -1)
    .flatMap((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')))
    .map((line) => line.slice('data:'.length).trim())
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as JsonValue)
