import type { Brand, CatalogueFiles, CatalogueModel, Family, Protocol } from './catalogue-schema.js'

/** The context window where neither the configuration nor the catalogue knows one, in tokens. */
export const defaultContextWindow = 128_000

/** The output limit where the wire demands one and neither the configuration nor the catalogue has it, in tokens. */
export const defaultOutputLimit = 8_192

/** Brands, models, families and protocols as data. */
export interface Catalogue {
  /** The state of prices and limits. */
  readonly version: string
  /** In the order of discovery. */
  readonly brands: readonly Brand[]
  /** By id or by a legacy spelling. */
  brand(name: string): Brand | undefined
  model(brand: string | undefined, id: string): CatalogueModel | undefined
  /** By id or by plain name. */
  family(name: string): Family | undefined
  /** By id or by another spelling. */
  protocol(name: string): Protocol | undefined
  /** The ids of a family's protocols. */
  protocolsOf(family: string): readonly string[]
}

/** Makes the contents of the files ready to be asked. */
export function createCatalogue({
  brands: { brands },
  models: { models, version },
  protocols: { families, protocols },
}: CatalogueFiles): Catalogue {
  const brandsByName = byNames(brands, ({ id, aliases = [] }) => [id, ...aliases])
  const familiesByName = byNames(families, ({ id, name }) => [id, name])
  const protocolsByName = byNames(protocols, ({ id, aliases }) => [id, ...aliases])
  return {
    version,
    brands,
    brand: (name) => brandsByName.get(name),
    model(brand, id) {
      const known = brand !== undefined && Object.hasOwn(models, brand) ? models[brand] : undefined
      return known !== undefined && Object.hasOwn(known, id) ? known[id] : undefined
    },
    family: (name) => familiesByName.get(name),
    protocol: (name) => protocolsByName.get(name),
    protocolsOf: (family) => protocols.filter((protocol) => protocol.family === family).map(({ id }) => id),
  }
}

const byNames = <Entry>(entries: readonly Entry[], namesOf: (entry: Entry) => readonly string[]): ReadonlyMap<string, Entry> =>
  new Map(entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)))
