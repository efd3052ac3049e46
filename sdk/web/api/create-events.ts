import { addHandler } from './stream.js'

/** What all events have. */
export interface AnyEvent {
  /** Its name: `run.completed`; events of a third party begin with the id of the plugin. */
  readonly event: string
  /** As the plugin declares it that publishes the event. */
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

/**
 * `onEvent` with the events of one area. All areas have the same stream, so that this costs nothing. Handlers get events from
 * then on; the state before is read from the API. A handler that throws is reported, and harms no other.
 *
 * @example
 * type DiceEvent =
 *   | { readonly event: 'tool-dice.rolled'; readonly data: { readonly id: string; readonly name: string } }
 *   | { readonly event: 'reset'; readonly data: object }
 * const onEvent = createEvents<DiceEvent>()
 * const { createPagedQuery } = createQueries<DiceEvent>()
 *
 * const list = createPagedQuery({ key: () => ['rolls'], read: readRolls, idOf: ({ id }) => id })
 * onCleanup(onEvent('tool-dice.rolled', ({ data }) => list.put(data)))
 */
export const createEvents = <Event extends AnyEvent>(): OnEvent<Event> => addHandler
