import type { ModelEvent } from '../../contracts/provider-adapter/index.js'

/**
 * Adds a piece of text or reasoning to the events. What arrives together for one part becomes one
 * event, since each event has a long way before it; an empty piece becomes none.
 */
export function pushDelta(events: ModelEvent[], delta: Extract<ModelEvent, { type: 'text.delta' | 'reasoning.delta' }>): void {
  if (delta.text === '') return
  const last = events.at(-1)
  if (last?.type === delta.type && last.part === delta.part) events[events.length - 1] = { ...last, text: last.text + delta.text }
  else events.push(delta)
}
