import type { EventInput, Events } from '@agent-service/sdk/services/events'

/** Events that are kept for a test to look at. */
export function createRecordedEvents(): Pick<Events, 'publishDelta'> & { readonly deltas: EventInput[] } {
  const deltas: EventInput[] = []
  return { deltas, publishDelta: (event) => deltas.push(event) }
}

/**
 * Puts parts together as a client does: each delta is written at its offset, an offset beyond the
 * text is a gap.
 */
export function textFrom(deltas: readonly EventInput[]): ReadonlyMap<number, string> {
  const parts = new Map<number, string>()
  for (const { data } of deltas) {
    const part = Number(data['part'])
    const offset = Number(data['offset'])
    const before = parts.get(part) ?? ''
    if (offset > before.length) throw new Error(`A gap: part ${part} has ${before.length} code units, the delta stands at ${offset}.`)
    parts.set(part, before.slice(0, offset) + String(data['text']))
  }
  return parts
}
