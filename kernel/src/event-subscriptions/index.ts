export { type EventSubscriptions, openEventSubscriptions } from './open-event-subscriptions.js'
export { createPluginEvents } from './plugin-events.js'
export { subscriptionCollections } from './subscription-records.js'
