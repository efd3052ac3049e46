declare const service: unique symbol

/**
 * Names a service that one plugin (or the kernel) provides and others use. Identity is the `id` string; the type parameter is the service's
 * interface and exists for the compiler alone.
 */
export interface ServiceReference<T> {
  /** Names the service, the same in every copy of the SDK. */
  readonly id: string
  /** For the compiler alone; never there at run time. */
  readonly [service]?: T
}

/** Defines a service reference. Kernel services are `kernel.*`; a feature's is the feature's word: `inference`. */
export function defineServiceReference<T>(id: string): ServiceReference<T> {
  return Object.freeze({ id })
}
