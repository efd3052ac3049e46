import type { ReasoningPart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Events } from '@agent-service/sdk/services/events'

/** The shortest time between two deltas of one run, in milliseconds. */
export const deltaIntervalMs = 16

/** The most text that one answer may grow to, in UTF-16 code units; a store holds at most 8 MiB for a document. */
export const maximumAnswerLength = 1_500_000

interface LivePart {
  readonly kind: 'text' | 'reasoning' | 'tool_call'
  readonly name?: string
  text: string
  /** How much of the text has been published. */
  published: number
}

/**
 * A message while it grows. Its text lives in memory and reaches those who watch as deltas, each with the offset of the text before it: the first
 * at once, then at most one in 16 ms. A delta never splits a surrogate pair.
 */
export interface LiveMessage {
  readonly messageId: string
  append(kind: 'text' | 'reasoning', part: number, text: string): void
  startCall(part: number, name: string): void
  appendArguments(part: number, text: string): void
  /** Text and reasoning so far. Tool calls show when they are complete. */
  content(): readonly (TextPart | ReasoningPart)[]
  /** Its length, in UTF-16 code units. */
  length(): number
  /** Forgets the text: another attempt begins. */
  reset(): void
  /** Publishes what is left and stops. */
  close(): void
}

export function createLiveMessage(dependencies: {
  readonly ids: { readonly messageId: string; readonly chatId: string; readonly runId: string; readonly userId: string }
  readonly events: Events
  readonly clock: Clock
}): LiveMessage {
  const { ids, events, clock } = dependencies
  const parts = new Map<number, LivePart>()
  let length = 0
  let closed = false
  let lastPublished = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void | Promise<void>) | undefined

  const publish = (index: number, part: LivePart, all: boolean): boolean => {
    const end = all ? part.text.length : wholeCharacters(part.text)
    if (end <= part.published) return false
    const text = part.text.slice(part.published, end)
    events.publishDelta({
      userId: ids.userId,
      name: part.kind === 'text' ? 'text.delta' : part.kind === 'reasoning' ? 'reasoning.delta' : 'tool_call.delta',
      data: {
        chat_id: ids.chatId,
        run_id: ids.runId,
        message_id: ids.messageId,
        part: index,
        offset: part.published,
        text,
        ...(part.name === undefined ? {} : { name: part.name }),
      },
    })
    part.published = end
    return true
  }

  /** Publishes the first part that has something new; the others have their turn 16 ms later. */
  const publishOne = (): void => {
    cancelTimer = undefined
    lastPublished = clock.monotonic()
    let published = false
    for (const [index, part] of parts) {
      if (!published) published = publish(index, part, false)
      else if (wholeCharacters(part.text) > part.published) {
        schedule()
        return
      }
    }
  }
  const schedule = (): void => {
    if (closed || cancelTimer) return
    const wait = lastPublished + deltaIntervalMs - clock.monotonic()
    if (wait <= 0) publishOne()
    else cancelTimer = clock.after(wait, publishOne)
  }
  const partAt = (index: number, kind: LivePart['kind'], name?: string): LivePart => {
    const known = parts.get(index)
    if (known) return known
    const part: LivePart = { kind, text: '', published: 0, ...(name === undefined ? {} : { name }) }
    parts.set(index, part)
    return part
  }

  return {
    messageId: ids.messageId,
    append(kind, index, text) {
      if (closed || text === '') return
      partAt(index, kind).text += text
      length += text.length
      schedule()
    },
    startCall(index, name) {
      if (!closed) partAt(index, 'tool_call', name)
    },
    appendArguments(index, text) {
      if (closed || text === '') return
      partAt(index, 'tool_call').text += text
      length += text.length
      schedule()
    },
    content: () =>
      [...parts.entries()]
        .sort(([a], [b]) => a - b)
        .flatMap(([, part]): (TextPart | ReasoningPart)[] =>
          part.kind === 'tool_call' || part.text === '' ? [] : [{ type: part.kind, text: part.text }],
        ),
    length: () => length,
    reset() {
      parts.clear()
      length = 0
    },
    close() {
      if (closed) return
      closed = true
      void cancelTimer?.()
      cancelTimer = undefined
      for (const [index, part] of parts) publish(index, part, true)
    },
  }
}

/** The length of the text without a high surrogate at its end whose other half has not come yet. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
}
