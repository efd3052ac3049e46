declare const service: unique symbol

/**
 * Names a service that one plugin (or the kernel) provides and others use. Identity is the `id` string; the type parameter is the service's
 * interface and exists for the compiler alone.
 */
export interface ServiceReference<T> {
  readonly id: string
  readonly [service]?: T
}

/** Defines a service reference. Kernel services are `kernel.*`; a feature's is the feature's word: `inference`. */
export function defineServiceReference<T>(id: string): ServiceReference<T> {
  return Object.freeze({ id })
}
