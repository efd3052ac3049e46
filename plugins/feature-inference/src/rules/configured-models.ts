import type { ConfigurationFacts, ConfigurationFinding, JsonObject, JsonValue } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { type Catalogue, createCatalogue } from '../catalogue/catalogue.js'
import type { CatalogueFiles } from '../catalogue/catalogue-schema.js'
import { settingsPlace } from '../configuration/models-section.js'
import type { ProvidersSection } from '../configuration/providers-section.js'
import { type Connection, type Connections, createConnections } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'

/** The sections `providers` and `models`, prepared for the rules. */
export interface ConfiguredModels {
  readonly catalogue: Catalogue
  readonly connections: Connections
  /** Every group and every fallback, at any depth, in the order of the configuration. */
  readonly targets: readonly Target[]
  /**
   * Whether third-party plugins may contribute adapters; their names are known only once they run.
   */
  readonly hasOtherAdapters: boolean
  /** The settings that plugins declare for a protocol; `undefined` if none does. */
  settingsOf(protocol: string): ProtocolSettings | undefined
}

/** One group or fallback. */
export interface Target {
  readonly path: string
  readonly settings: JsonObject
  /** The handle as written. */
  readonly provider: string
  /** Absent if the handle is not known. */
  readonly connection: Connection | undefined
  /**
   * The protocol of `api`, by its id if the catalogue knows it, else the default. Absent if there
   * is neither.
   */
  readonly protocol: string | undefined
}

/** The typed settings of one protocol. */
export interface ProtocolSettings {
  readonly names: readonly string[]
  /** Why the protocol cannot be called in this version. */
  readonly noEffect: string | undefined
}

/**
 * Reads the two sections. Returns a finding instead if the catalogue is missing, because brands
 * cannot be checked then.
 */
export function readConfiguredModels(
  configuration: JsonObject,
  facts: ConfigurationFacts,
): ConfiguredModels | { readonly findings: readonly ConfigurationFinding[] } {
  const absent = ['brands', 'models', 'protocols'].filter((name) => !isObject(facts.catalogue[name]))
  if (absent.length > 0) return { findings: [catalogueMissing(absent)] }
  const catalogue: Catalogue = createCatalogue(facts.catalogue as unknown as CatalogueFiles)
  const present = new Set(facts.environmentNames)
  const connections = createConnections(objectsIn(configuration['providers']) as ProvidersSection, catalogue, (name) =>
    present.has(name) ? name : undefined,
  )
  const protocols = readProtocolSettings(facts)
  return {
    catalogue,
    connections,
    targets: Object.entries(objectsIn(configuration['models'])).flatMap(([name, group]) =>
      targetsIn(`models.${pathKey(name)}`, group, connections, catalogue),
    ),
    hasOtherAdapters: facts.thirdPartyPoints.includes(providerAdapters.id),
    settingsOf: (protocol) => protocols.get(protocol),
  }
}

/** A warning, because the folder may be filled later; the plugin itself fails without it. */
const catalogueMissing = (names: readonly string[]): ConfigurationFinding => ({
  path: 'storage.shared_config_dir',
  severity: 'warning',
  message: `has no ${names.map((name) => `catalogue/${name}.json`).join(', ')}: providers and models are not checked, and no model can be called. Copy the folder “catalogue” from the installation to it`,
})

function targetsIn(path: string, settings: JsonObject, connections: Connections, catalogue: Catalogue): readonly Target[] {
  const provider = textIn(settings, 'provider') ?? ''
  const connection = connections.find(provider)
  const written = textIn(settings, 'api')
  const fallbacks = Array.isArray(settings['fallbacks']) ? (settings['fallbacks'] as readonly JsonValue[]) : []
  const protocol =
    written === undefined
      ? connection && defaultProtocol(connection, textIn(settings, 'model') ?? '', catalogue)
      : (catalogue.protocol(written)?.id ?? written)
  return [
    { path, settings, provider, connection, protocol },
    ...fallbacks.flatMap((entry, index) =>
      isObject(entry) ? targetsIn(`${path}.fallbacks[${index}]`, entry, connections, catalogue) : [],
    ),
  ]
}

/** The settings that plugins add to `models`, by protocol. */
function readProtocolSettings({ extensions }: ConfigurationFacts): ReadonlyMap<string, ProtocolSettings> {
  const protocols = new Map<string, ProtocolSettings>()
  for (const { section, place, variant, schema } of extensions) {
    if (section !== 'models' || place !== settingsPlace) continue
    const before = protocols.get(variant)
    const noEffect = (schema as { readonly 'x-no-effect'?: string })['x-no-effect']
    protocols.set(variant, {
      names: [...(before?.names ?? []), ...Object.keys(schema.properties)],
      noEffect: before ? (before.noEffect ?? noEffect) : noEffect,
    })
  }
  return protocols
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a member; `undefined` for anything else. */
export const textIn = (value: JsonObject, name: string): string | undefined => {
  const member = value[name]
  return typeof member === 'string' ? member : undefined
}

const objectsIn = (value: JsonValue | undefined): Readonly<Record<string, JsonObject>> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))) : {}

/** A key as written in a dotted path. */
export const pathKey = (name: string): string => (name === '' || /[."'[\]]/.test(name) ? JSON.stringify(name) : name)
