import type { AnyEvent } from '../api/create-events.js'
import { deliverEvent, standInStreamState } from '../api/stream.js'

/** The name and the data of an event, which belong together. */
type Arguments<Event extends AnyEvent> = Event extends AnyEvent ? [name: Event['event'], data: Event['data']] : never

/**
 * Gives an event to all handlers of `onEvent`, as if the stream had brought it; they have run when it returns. With the events of
 * `createEvents` as its type, name and data have to fit.
 *
 * @example
 * type DiceEvent = { readonly event: 'tool-dice.rolled'; readonly data: { readonly id: string; readonly name: string } }
 *
 * sendEvent<DiceEvent>('tool-dice.rolled', { id: 'first', name: 'Who begins' })
 * await screen.findByText('Who begins')
 */
export function sendEvent<Event extends AnyEvent = AnyEvent>(...[event, data]: Arguments<Event>): void {
  deliverEvent({ id: '', event, data })
}

/** Loses the connection to the service, or has it come back: then those of `onReturn` read again. */
export const setConnection = (state: 'lost' | 'live'): void => standInStreamState(state === 'lost' ? 'reconnecting' : 'live')
