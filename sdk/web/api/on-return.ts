import { createEffect, createRoot, on } from 'solid-js'
import { cameBack, streamState } from './events.js'

/** Calls a function whenever the service is back, after a lost connection or an announced restart, until the owner ends. */
export function onReturn(read: () => void): void {
  // Not deferred: a state that is skipped is not handed on as the one before, and the connection may be lost already.
  createEffect(on(streamState, (now, before) => void (cameBack(now, before) && read())))
}

/** The same for as long as the page is open. */
export const onEveryReturn = (read: () => void): void => createRoot(() => onReturn(read))
