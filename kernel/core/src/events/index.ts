export { type BootedEvents, bootEvents, bootedEventsToken } from './boot-events.js'
export * from './errors.js'
export { eventNumber } from './event-numbers.js'
export { eventCollections } from './event-records.js'
export { createEventTypes, type EventTypes, eventTypesToken, isDeltaName } from './event-types.js'
export {
  defaultEventLimits,
  type EventLimits,
  type EventOutbox,
  type EventPublisher,
  type EventStreams,
  eventLimitsToken,
  eventOutboxToken,
  eventsToken,
  UserEvents,
} from './user-events.js'
