import type { EventPublisher, EventTypes } from '@agent-service/kernel-core/events'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import type { EventSubscriptions, Subscriber } from './kernel-event-subscriptions.js'

/**
 * The events service of one plugin: it publishes the events that its manifest declares, and its
 * subscriptions carry its id.
 */
export function createPluginEvents(
  dependencies: { readonly publisher: EventPublisher; readonly types: EventTypes; readonly subscriptions: EventSubscriptions },
  subscriber: Subscriber,
): PluginEvents {
  const { publisher, types, subscriptions } = dependencies
  const { pluginId } = subscriber
  return Object.freeze<PluginEvents>({
    record(transaction, event) {
      types.check(pluginId, event.name, event.data)
      publisher.record(transaction, event)
    },
    publishDelta(event) {
      types.check(pluginId, event.name, event.data)
      return publisher.publishDelta(event)
    },
    async announce(event) {
      types.check(pluginId, event.name, event.data)
      await publisher.announce(event)
    },
    position: (userId) => publisher.position(userId),
    subscribe: (subscription) => subscriptions.subscribe(subscriber, subscription),
    unsubscribe: (id) => subscriptions.unsubscribe(pluginId, id),
  })
}
