import type { JsonObject } from '@agent-service/sdk'
import type { ReasoningPart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import type { EventName, Events } from '@agent-service/sdk/services/events'
import { wellFormed, wholeLength } from '../../common/well-formed.js'
import type { DeltaSource, DeltaThrottle } from './delta-throttle.js'

interface LivePart extends DeltaSource {
  readonly kind: 'text' | 'reasoning' | 'tool_call'
  readonly name?: string
  append(text: string): void
  /** Its text without an incomplete character at the end. */
  text(): string
  /** Publishes the rest, including an incomplete character. */
  flush(): void
}

/**
 * A message while it grows. Its text is in memory and is published in deltas, each with its offset
 * in UTF-16 code units. A delta never splits a surrogate pair.
 */
export interface LiveMessage {
  readonly messageId: string
  append(kind: 'text' | 'reasoning', part: number, text: string): void
  /** Adds what a part lacks of its finished text, if it has been shown so far as it is. */
  complete(kind: 'text' | 'reasoning', part: number, text: string): void
  startCall(part: number, name: string): void
  appendArguments(part: number, text: string): void
  /** Text and reasoning so far, which are kept if the answer breaks off. */
  content(): readonly (TextPart | ReasoningPart)[]
  /**
   * Every part so far at its index, so that a client can continue with deltas; a call has the text
   * of its arguments in `arguments_text`.
   */
  view(): readonly JsonObject[]
  /** Its length, in UTF-16 code units. */
  length(): number
  /** Discards the text for another attempt. */
  reset(): void
  /** Publishes the rest at once, and stops. */
  close(): void
}

export function createLiveMessage(dependencies: {
  readonly ids: { readonly messageId: string; readonly chatId: string; readonly runId: string; readonly userId: string }
  readonly events: Pick<Events, 'publishDelta'>
  readonly throttle: DeltaThrottle
  /** The id of the call in this part of the answer. */
  readonly callId: (part: number) => string
}): LiveMessage {
  const { ids, events, throttle, callId } = dependencies
  const parts = new Map<number, LivePart>()
  let length = 0
  let closed = false

  const createPart = (index: number, kind: LivePart['kind'], name: string | undefined): LivePart => {
    // The published text is a rope that is flattened only on demand; the pending text is short.
    let published = ''
    let pending = ''
    const send = (end: number): void => {
      if (end === 0) return
      const text = wellFormed(pending.slice(0, end))
      events.publishDelta({
        userId: ids.userId,
        name: deltaNames[kind],
        data: {
          chat_id: ids.chatId,
          run_id: ids.runId,
          message_id: ids.messageId,
          part: index,
          offset: published.length,
          text,
          ...(kind === 'tool_call' ? { call_id: callId(index), name: name ?? '' } : {}),
        },
      })
      published += text
      pending = pending.slice(end)
    }
    const part: LivePart = {
      kind,
      ...(name === undefined ? {} : { name }),
      append(text) {
        pending += text
        if (wholeLength(pending) > 0) throttle.mark(part)
      },
      text: () => published + wellFormed(pending.slice(0, wholeLength(pending))),
      publish: () => send(wholeLength(pending)),
      flush() {
        throttle.unmark(part)
        send(pending.length)
      },
    }
    return part
  }
  const partAt = (index: number, kind: LivePart['kind'], name?: string): LivePart => {
    const part = parts.get(index) ?? createPart(index, kind, name)
    parts.set(index, part)
    return part
  }
  const grow = (part: LivePart, text: string): void => {
    length += text.length
    part.append(text)
  }
  const indexed = (): readonly (readonly [number, LivePart])[] => [...parts].sort(([a], [b]) => a - b)

  return {
    messageId: ids.messageId,
    append(kind, index, text) {
      if (!closed && text !== '') grow(partAt(index, kind), text)
    },
    complete(kind, index, text) {
      const part = parts.get(index)
      if (closed || (part !== undefined && part.kind !== kind)) return
      const shown = part?.text() ?? ''
      if (text.length > shown.length && text.startsWith(shown)) grow(partAt(index, kind), text.slice(shown.length))
    },
    startCall(index, name) {
      if (!closed) partAt(index, 'tool_call', wellFormed(name))
    },
    appendArguments(index, text) {
      if (!closed && text !== '') grow(partAt(index, 'tool_call'), text)
    },
    content: () =>
      indexed().flatMap(([, part]): (TextPart | ReasoningPart)[] => {
        if (part.kind === 'tool_call') return []
        const text = part.text()
        return text === '' ? [] : [{ type: part.kind, text }]
      }),
    view() {
      const view: JsonObject[] = []
      for (const [index, part] of indexed()) {
        // A part that a provider skipped is filled in, so that every part is at its index.
        while (view.length < index) view.push({ type: 'text', text: '' })
        if (part.kind !== 'tool_call') view.push({ type: part.kind, text: part.text() })
        else view.push({ type: 'tool_call', call_id: callId(index), name: part.name ?? '', arguments: {}, arguments_text: part.text() })
      }
      return view
    },
    length: () => length,
    reset() {
      for (const part of parts.values()) throttle.unmark(part)
      parts.clear()
      length = 0
    },
    close() {
      if (closed) return
      closed = true
      for (const [, part] of indexed()) part.flush()
    },
  }
}

const deltaNames: Readonly<Record<LivePart['kind'], EventName>> = {
  text: 'text.delta',
  reasoning: 'reasoning.delta',
  tool_call: 'tool_call.delta',
}
