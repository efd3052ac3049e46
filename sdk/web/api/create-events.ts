import { addHandler } from './stream.js'

/** What all events have. */
export interface AnyEvent {
  readonly event: string
  readonly data: unknown
}

/** The event of a name, or the events of several. */
export type EventOf<Event extends AnyEvent, Name extends Event['event']> = Extract<Event, { readonly event: Name }>

/**
 * Calls a function for each event of a name, in order, whichever tab holds the connection. `reset`
 * says that events were lost: read the state again. Returns the undo.
 */
export type OnEvent<Event extends AnyEvent> = <Name extends Event['event']>(
  name: Name,
  handle: (event: EventOf<Event, Name>) => void,
) => () => void

/** `onEvent` with the events of one area. All areas have the same stream, so that this costs nothing. */
export const createEvents = <Event extends AnyEvent>(): OnEvent<Event> => addHandler
