import { getOwner, onCleanup } from 'solid-js'

/** What is added by a component, or by the `start` of a screen, goes with it; the result takes it back sooner. */
export function untilGone(undo: () => void): () => void {
  if (getOwner()) onCleanup(undo)
  return undo
}
