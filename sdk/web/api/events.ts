import { createEvents, type EventOf as SomeEventOf } from './create-events.js'
import type { Schemas } from './types.js'

export { cameBack, type StreamState, startEvents, stopEvents, streamState } from './stream.js'

/** An event that the console uses, by its name. */
export type ServiceEvent = Schemas['Event']
export type EventName = ServiceEvent['event']
export type EventOf<Name extends EventName> = SomeEventOf<ServiceEvent, Name>

/** Calls a function for each event of a name, and returns the undo. */
export const onEvent = createEvents<ServiceEvent>()
