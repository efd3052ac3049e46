import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { isWanted, type LineRedactor, type LogEntry, type LogFilter, readLine } from './log-entry.js'
import type { RecentLines } from './recent-lines.js'

/** How many lines are read before other work gets its turn. */
const chunk = 50
/** How long lines are collected before they are sent together. */
const collectMs = 100

/** The source of entries. */
export interface LogSource {
  readonly lines: RecentLines
  readonly redactor: LineRedactor
}

/** Entries, and the number before which older ones may follow. */
export interface FoundEntries {
  readonly entries: readonly LogEntry[]
  readonly before: number | undefined
}

/** The latest entries before a number that are wanted, the latest first. */
export async function latestEntries(
  { lines, redactor }: LogSource,
  filter: LogFilter,
  range: { readonly limit: number; readonly before?: number; readonly signal: AbortSignal },
): Promise<FoundEntries> {
  const entries: LogEntry[] = []
  let to = Math.min((range.before ?? Number.POSITIVE_INFINITY) - 1, lines.newest())
  while (to >= lines.oldest() && entries.length < range.limit) {
    for (const line of [...lines.between(to - chunk + 1, to)].reverse()) {
      const entry = readLine(line, lines.epoch, redactor)
      if (entry && isWanted(entry, filter)) entries.push(entry)
      to = line.number - 1
      if (entries.length === range.limit) break
    }
    await nextTurn()
    range.signal.throwIfAborted()
  }
  return { entries, before: to >= lines.oldest() ? to + 1 : undefined }
}

/**
 * What is written after a number, as events: `lines` with the wanted entries since the event
 * before, and `gap` with the number of lines that were dropped before they were read.
 */
export async function* followEntries(
  { lines, redactor }: LogSource,
  filter: LogFilter,
  options: { readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<ServerSentEvent> {
  const { signal } = options
  let at = Math.min(options.after, lines.newest())
  while (!signal.aborted) {
    if (at < lines.newest()) await nextTurn()
    else {
      await lines.after(at, signal)
      await pause(collectMs, undefined, { signal }).catch(() => undefined)
    }
    if (signal.aborted) return
    const missed = lines.oldest() - 1 - at
    if (missed > 0) {
      at += missed
      yield { id: `${lines.epoch}-${at}`, event: 'gap', data: JSON.stringify({ missed }) }
    }
    const read = lines.between(at + 1, at + chunk)
    const entries = read.flatMap((line) => readLine(line, lines.epoch, redactor) ?? []).filter((entry) => isWanted(entry, filter))
    at += read.length
    if (entries.length > 0) yield { id: `${lines.epoch}-${at}`, event: 'lines', data: JSON.stringify({ items: entries }) }
  }
}
