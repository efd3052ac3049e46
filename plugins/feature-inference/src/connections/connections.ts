import type { Catalogue } from '../catalogue/catalogue.js'
import type { Brand } from '../catalogue/catalogue-schema.js'
import type { ConnectionSettings, ProvidersSection } from '../configuration/providers-section.js'

/** A connection as groups refer to it, before its key is looked up. */
export interface Connection {
  readonly handle: string
  readonly settings: ConnectionSettings
  /** The catalogue's entry; absent for a custom brand. */
  readonly brand: Brand | undefined
  readonly brandName: string
  /** The id of the adapter; absent for a custom brand that names none. */
  readonly adapter: string | undefined
  /** It was not configured: the environment offered it. */
  readonly discovered: boolean
}

/** All connections. */
export interface Connections {
  /** By handle, legacy spellings too. */
  find(handle: string): Connection | undefined
  /** In the order of the configuration. */
  readonly configured: readonly Connection[]
  /** What the environment offers beside the configuration, in the order of discovery. */
  readonly discovered: readonly Connection[]
  readonly handles: readonly string[]
}

/** The value of a variable of the environment; `undefined` where it is not set, or blank. */
export type ReadVariable = (name: string) => string | undefined

/** Joins the configured connections with those that the environment offers for brands that are not configured. */
export function createConnections(providers: ProvidersSection, catalogue: Catalogue, readVariable: ReadVariable): Connections {
  const configured = Object.entries(providers).map(([handle, settings]) => connectionOf(handle, settings, catalogue, false))
  const takenBrands = new Set(configured.map(({ handle }) => catalogue.brand(handle)?.id))
  const discovered = catalogue.brands
    .filter((brand) => !takenBrands.has(brand.id))
    .flatMap((brand): readonly Connection[] => {
      const settings = discover(brand, readVariable)
      return settings ? [connectionOf(brand.id, settings, catalogue, true)] : []
    })
  const all = new Map([...configured, ...discovered].map((connection) => [connection.handle, connection]))
  return { find: (handle) => all.get(handle) ?? legacyMatch(handle, all, catalogue), configured, discovered, handles: [...all.keys()] }
}

function connectionOf(handle: string, settings: ConnectionSettings, catalogue: Catalogue, discovered: boolean): Connection {
  const written = settings.provider ?? handle
  const brand = catalogue.brand(written)
  const adapter = settings.adapter === undefined ? undefined : (catalogue.family(settings.adapter)?.id ?? settings.adapter)
  return { handle, settings, brand, brandName: brand?.id ?? written, adapter: brand?.adapter ?? adapter, discovered }
}

/** `gemini` finds the connection `google`, and the other way round. */
function legacyMatch(handle: string, all: ReadonlyMap<string, Connection>, catalogue: Catalogue): Connection | undefined {
  const brand = catalogue.brand(handle)
  return brand && [brand.id, ...(brand.aliases ?? [])].map((name) => all.get(name)).find((connection) => connection !== undefined)
}

/** The settings of a brand that the environment offers. The key stays a reference. */
function discover(brand: Brand, readVariable: ReadVariable): ConnectionSettings | undefined {
  const keyName = brand.discovery?.api_key?.find((name) => readVariable(name) !== undefined)
  if (keyName !== undefined) return { enabled: true, api_key: `\${${keyName}}` }
  const baseUrl = brand.discovery?.base_url?.map(readVariable).find((value) => value !== undefined)
  return baseUrl === undefined ? undefined : { enabled: true, base_url: baseUrl }
}
