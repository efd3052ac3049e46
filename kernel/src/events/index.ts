export * from './errors.js'
export { eventCollections } from './event-records.js'
export type { EventStreams } from './event-streams.js'
export { type EventsDependencies, type OpenedEvents, openEvents } from './open-events.js'
