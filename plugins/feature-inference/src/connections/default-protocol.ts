import type { Catalogue } from '../catalogue/catalogue.js'
import type { Connection } from './connections.js'

/**
 * The protocol of a group that names none: that of the model in the catalogue, else the default of
 * the brand, else that of the family. `undefined` for an adapter that the catalogue does not know.
 */
export function defaultProtocol({ brand, adapter }: Connection, model: string, catalogue: Catalogue): string | undefined {
  return (
    catalogue.model(brand?.id, model)?.protocol ??
    brand?.default_protocol ??
    (adapter === undefined ? undefined : catalogue.family(adapter)?.default_protocol)
  )
}
