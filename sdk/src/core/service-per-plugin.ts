const marker: unique symbol = Symbol.for('agent-service.service-per-plugin') as never

/** The user of a service. */
export interface ServiceConsumer {
  /** The id of its manifest, from the host. */
  readonly pluginId: string
}

/** A service that is made for each plugin that uses it. */
export interface ServicePerPlugin<T> {
  /** Makes it, once for each `use`. */
  readonly make: (consumer: ServiceConsumer) => T
}

/**
 * Wraps what `provide` gets if each user needs a service of its own, such as one that keeps what
 * plugins store apart: the host calls `make` with the id of the plugin that says `use`, so that no
 * plugin can pass for another.
 *
 * @example
 * const greeterService = defineServiceReference<{ greet(): string }>()('greeter')
 * context.provide(
 *   greeterService,
 *   servicePerPlugin(({ pluginId }) => ({ greet: () => `Hello, ${pluginId}` })),
 * )
 */
export function servicePerPlugin<T>(make: (consumer: ServiceConsumer) => T): ServicePerPlugin<T> {
  return Object.freeze({ make, [marker]: true })
}

/** The service object for a plugin that calls `use`. For hosts. */
export function serviceFor(provided: unknown, consumer: ServiceConsumer): unknown {
  return isPerPlugin(provided) ? provided.make(consumer) : provided
}

const isPerPlugin = (value: unknown): value is ServicePerPlugin<unknown> =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true
