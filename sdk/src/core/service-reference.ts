declare const service: unique symbol

/**
 * Names a service that one plugin (or the kernel) provides and others use. Identity is the `id`
 * string; the type parameters are the service's interface and its id, and exist only for the
 * compiler.
 */
export interface ServiceReference<T, Id extends string = string> {
  /** Names the service, the same in every copy of the SDK. */
  readonly id: Id
  /** Only for the compiler; absent at run time. */
  readonly [service]?: T
}

/**
 * Defines a service reference. Kernel services are `kernel.*`; a feature's is the feature's word:
 * `inference`. Called in two steps, the compiler knows the id and holds `use` and `provide` against
 * the manifest; in one step only the host does.
 *
 * @example
 * interface Greeter {
 *   greet(name: string): Promise<string>
 * }
 * export const greeterService = defineServiceReference<Greeter>()('greeter')
 */
export function defineServiceReference<T>(): <const Id extends string>(id: Id) => ServiceReference<T, Id>
/**
 * Defines a reference whose id the compiler does not know: the host alone holds `use` and `provide`
 * against the manifest.
 */
export function defineServiceReference<T>(id: string): ServiceReference<T>
export function defineServiceReference<T>(
  id?: string,
): ServiceReference<T> | (<const Id extends string>(id: Id) => ServiceReference<T, Id>) {
  return id === undefined ? createReference : createReference<T, string>(id)
}

function createReference<T, const Id extends string>(id: Id): ServiceReference<T, Id> {
  return Object.freeze({ id })
}
