export { type EventSubscriptions, eventSubscriptionsToken, KernelEventSubscriptions } from './kernel-event-subscriptions.js'
export { createPluginEvents } from './plugin-events.js'
export { openRegistrations, type Registrations, registrationsToken } from './registrations.js'
export { subscriptionCollections } from './subscription-records.js'
