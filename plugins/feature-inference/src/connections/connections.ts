import type { Secrets } from '@agent-service/sdk/services/secrets'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { Brand } from '../catalogue/catalogue-schema.js'
import type { ConnectionSettings, ProvidersSection } from '../configuration/providers-section.js'
import { adapterFamilies, adapterId } from './adapter-families.js'

/** A connection as groups refer to it, before its key is looked up. */
export interface Connection {
  readonly handle: string
  readonly settings: ConnectionSettings
  /** The catalogue's entry; absent for a custom brand. */
  readonly brand: Brand | undefined
  readonly brandName: string
  /** Absent for a custom brand that names none. */
  readonly adapter: string | undefined
  readonly defaultProtocol: string | undefined
  /** It was not configured: the environment offered it. */
  readonly discovered: boolean
}

/** All connections. */
export interface Connections {
  /** By handle, legacy spellings too. */
  find(handle: string): Connection | undefined
  /** What the environment offers beside the configuration, in the order of discovery. */
  readonly discovered: readonly Connection[]
  readonly handles: readonly string[]
}

/** Joins the configured connections with those that the environment offers for brands that are not configured. */
export function createConnections(providers: ProvidersSection, catalogue: Catalogue, secrets: Secrets): Connections {
  const configured = new Map(
    Object.entries(providers).map(([handle, settings]) => [handle, connectionOf(handle, settings, catalogue, false)]),
  )
  const takenBrands = new Set([...configured.keys()].map((handle) => catalogue.brand(handle)?.id))
  const discovered = catalogue.brands
    .filter((brand) => !takenBrands.has(brand.id))
    .flatMap((brand): readonly Connection[] => {
      const settings = discover(brand, secrets)
      return settings ? [connectionOf(brand.id, settings, catalogue, true)] : []
    })
  const all = new Map([...configured, ...discovered.map((connection) => [connection.handle, connection] as const)])
  return {
    find: (handle) => all.get(handle) ?? legacyMatch(handle, all, catalogue),
    discovered,
    handles: [...all.keys()],
  }
}

function connectionOf(handle: string, settings: ConnectionSettings, catalogue: Catalogue, discovered: boolean): Connection {
  const written = settings.provider ?? handle
  const brand = catalogue.brand(written)
  const adapter = brand?.adapter ?? (settings.adapter === undefined ? undefined : adapterId(settings.adapter))
  return {
    handle,
    settings,
    brand,
    brandName: brand?.id ?? written,
    adapter,
    defaultProtocol: brand?.default_protocol ?? (adapter === undefined ? undefined : adapterFamilies[adapter]?.protocol),
    discovered,
  }
}

/** `gemini` finds the connection `google`, and the other way round. */
function legacyMatch(handle: string, all: ReadonlyMap<string, Connection>, catalogue: Catalogue): Connection | undefined {
  const brand = catalogue.brand(handle)
  return brand && [brand.id, ...(brand.aliases ?? [])].map((name) => all.get(name)).find((connection) => connection !== undefined)
}

/** The settings of a brand that the environment offers. The key stays a reference. */
function discover(brand: Brand, secrets: Secrets): ConnectionSettings | undefined {
  const isSet = (name: string): boolean => variableValue(name, secrets) !== undefined
  const keyName = brand.discovery?.api_key?.find(isSet)
  if (keyName !== undefined) return { enabled: true, api_key: `\${${keyName}}` }
  const baseUrl = brand.discovery?.base_url?.map((name) => variableValue(name, secrets)).find((value) => value !== undefined)
  return baseUrl === undefined ? undefined : { enabled: true, base_url: baseUrl }
}

/** A blank variable counts as not set. */
const variableValue = (name: string, secrets: Secrets): string | undefined => {
  const resolved = secrets.resolve(`\${${name}}`)
  return 'value' in resolved && resolved.value.trim() !== '' ? resolved.value : undefined
}
