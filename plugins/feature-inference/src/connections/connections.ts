import type { Catalogue } from '../catalogue/catalogue.js'
import type { Brand } from '../catalogue/catalogue-schema.js'
import type { ConnectionSettings, ProvidersSection } from '../configuration/providers-section.js'

/** A connection as groups refer to it, before its key is looked up. */
export interface Connection {
  readonly handle: string
  readonly settings: ConnectionSettings
  /** The catalogue entry of a built-in or compatible brand; absent for a custom one. */
  readonly brand: Brand | undefined
  /** Why a compatible brand cannot be used, if the connection does not set its own adapter. */
  readonly refused?: string
  readonly brandName: string
  /** The id of the adapter; absent for a custom brand without one. */
  readonly adapter: string | undefined
  /** Found in the environment, not configured. */
  readonly discovered: boolean
}

/** All connections. */
export interface Connections {
  /** Finds by handle, including legacy spellings. */
  find(handle: string): Connection | undefined
  /** In the order of the configuration. */
  readonly configured: readonly Connection[]
  /** Connections found in the environment, in the order of discovery. */
  readonly discovered: readonly Connection[]
  readonly handles: readonly string[]
}

/** The value of an environment variable; `undefined` if it is not set or blank. */
export type ReadVariable = (name: string) => string | undefined

/** Joins the configured connections with those found in the environment for other brands. */
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

/** A connection with its brand and adapter. */
export function connectionOf(handle: string, settings: ConnectionSettings, catalogue: Catalogue, discovered: boolean): Connection {
  const written = settings.provider ?? handle
  const adapter = settings.adapter === undefined ? undefined : (catalogue.family(settings.adapter)?.id ?? settings.adapter)
  const compatible = compatibleWith(written, adapter, catalogue)
  const brand = catalogue.brand(written) ?? compatible?.brand
  const refused = compatible?.refused
  return {
    handle,
    settings,
    brand,
    ...(refused !== undefined && { refused }),
    brandName: brand?.id ?? written,
    adapter: brand?.adapter ?? adapter,
    discovered,
  }
}

/**
 * The compatible brand of this name. A connection that names a different adapter is a custom brand
 * of the same name.
 */
function compatibleWith(
  name: string,
  adapter: string | undefined,
  catalogue: Catalogue,
): { readonly brand?: Brand; readonly refused?: string } | undefined {
  const compatible = catalogue.compatibleBrand(name)
  if (!compatible) return undefined
  if ('brand' in compatible) return adapter === undefined || adapter === compatible.brand.adapter ? { brand: compatible.brand } : undefined
  return adapter === undefined ? { refused: compatible.refused } : undefined
}

/** `gemini` finds the connection `google`, and vice versa. */
function legacyMatch(handle: string, all: ReadonlyMap<string, Connection>, catalogue: Catalogue): Connection | undefined {
  const brand = catalogue.brand(handle)
  return brand && [brand.id, ...(brand.aliases ?? [])].map((name) => all.get(name)).find((connection) => connection !== undefined)
}

/** Connection settings from the environment. The key stays a reference. */
function discover(brand: Brand, readVariable: ReadVariable): ConnectionSettings | undefined {
  const keyName = brand.discovery?.api_key?.find((name) => readVariable(name) !== undefined)
  if (keyName !== undefined) return { enabled: true, api_key: `\${${keyName}}` }
  const baseUrl = brand.discovery?.base_url?.map(readVariable).find((value) => value !== undefined)
  return baseUrl === undefined ? undefined : { enabled: true, base_url: baseUrl }
}
