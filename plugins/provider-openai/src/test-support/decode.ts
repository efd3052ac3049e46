import type { ModelEvent } from '@agent-service/sdk/contracts/provider-adapter'
import { type AnswerAssembler, createEventStreamReader } from '@agent-service/sdk/provider-kit'

/** What pieces of a stream come to without the network. */
export interface Decoded {
  readonly text: string
  readonly reasoning: string
  /** The last event; `undefined` if the model has not stopped. */
  readonly finished: ModelEvent | undefined
  readonly failed: boolean
}

/** Feeds the pieces of a stream to its reader and an assembler, as a call does. */
export function decode(pieces: Iterable<Uint8Array>, assembler: AnswerAssembler): Decoded {
  const reader = createEventStreamReader()
  const events: ModelEvent[] = []
  let failed = false
  try {
    for (const piece of pieces) {
      for (const document of reader.feed(piece)) if (!assembler.ended) assembler.add(document, events)
    }
    for (const document of reader.end()) assembler.add(document, events)
  } catch {
    failed = true
  }
  const joined = (type: 'text.delta' | 'reasoning.delta'): string => events.map((event) => (event.type === type ? event.text : '')).join('')
  return {
    text: joined('text.delta'),
    reasoning: joined('reasoning.delta'),
    finished: !failed && assembler.stopped ? assembler.finish() : undefined,
    failed,
  }
}
