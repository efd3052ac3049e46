import type { Catalogue } from '../catalogue/catalogue.js'
import type { ModelPrice } from '../catalogue/catalogue-schema.js'
import type { TargetSettings } from '../configuration/models-section.js'
import type { Connection, Connections } from '../connections/connections.js'
import type { ConfiguredGroup } from '../targets/group-registry.js'
import { targetKey } from '../targets/target-key.js'
import { ownPrice } from '../usage/price.js'

/** What people choose a model by. What neither configuration nor catalogue knows is absent. */
export interface ModelDescription {
  /** Its name, or its id if it has none. */
  readonly title: string
  readonly brand: string
  readonly brand_name: string
  /** Input types beside text. */
  readonly input?: readonly string[]
  readonly abilities?: readonly string[]
  readonly max_output_tokens?: number
  readonly price?: ModelPrice
  /** It is called without a key, as on a computer of one's own. */
  readonly local?: true
  /** The names of the models that stand in for it, in their order. */
  readonly fallbacks: readonly string[]
}

/** Describes the models of a group: its own one, and those that stand in for it by their names. */
export function describeModel(
  { settings }: ConfiguredGroup,
  { catalogue, connections }: { readonly catalogue: Catalogue; readonly connections: Connections },
): ModelDescription {
  const connection = connections.find(settings.provider)
  const known = catalogue.model(connection?.brand?.id, settings.model)
  const price = ownPrice({ own: settings.price, catalogue: known?.price }) ?? known?.price
  const titleOf = ({ provider, model }: TargetSettings): string => catalogue.nameOf(connections.find(provider)?.brand?.id, model) ?? model
  const own = targetKey(settings)
  const others = (settings.fallbacks ?? []).filter((fallback) => targetKey(fallback) !== own).map(titleOf)
  return {
    title: titleOf(settings),
    brand: connection?.brandName ?? settings.provider,
    brand_name: connection?.brand?.name ?? connection?.brandName ?? settings.provider,
    ...(known && { input: known.input ?? [], abilities: known.abilities ?? [] }),
    ...(known?.max_output_tokens !== undefined && { max_output_tokens: known.max_output_tokens }),
    ...(price && { price }),
    ...(isLocal(connection) && { local: true }),
    fallbacks: [...new Set(others)],
  }
}

const isLocal = (connection: Connection | undefined): boolean =>
  connection?.brand?.authentication.includes('none') === true &&
  connection.settings.api_key === undefined &&
  connection.settings.credential_id === undefined
