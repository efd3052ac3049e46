import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connection } from './connections.js'

/**
 * The protocol of a group that names none: what the catalogue says of the model, else the default of the brand, else that of the family.
 * `undefined` with an adapter that the catalogue does not know.
 */
export function defaultProtocol({ brand, adapter }: Connection, model: string, catalogue: Catalogue): string | undefined {
  return (
    catalogue.model(brand?.id, model)?.protocol ??
    brand?.default_protocol ??
    (adapter === undefined ? undefined : catalogue.family(adapter)?.default_protocol)
  )
}
