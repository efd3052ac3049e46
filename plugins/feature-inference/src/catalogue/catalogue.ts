import type { Brand, CatalogueFiles, CatalogueModel, Family, ModelsFile, Protocol } from './catalogue-schema.js'
import { type CompatibleBrand, readCompatibleBrand } from './compatible-brands.js'

/** The context window where neither the configuration nor the catalogue knows one, in tokens. */
export const defaultContextWindow = 128_000

/** The output limit where the wire demands one and neither the configuration nor the catalogue has it, in tokens. */
export const defaultOutputLimit = 8_192

/** A model with its brand and its id. */
export interface ListedModel {
  readonly brand: string
  readonly id: string
  readonly model: CatalogueModel
}

/** Brands, models, families and protocols as data. */
export interface Catalogue {
  /** The state of prices and limits. Changes with a refresh. */
  readonly version: string
  /** The built-in ones, in the order of discovery. */
  readonly brands: readonly Brand[]
  /** A built-in one, by id or by a legacy spelling. */
  brand(name: string): Brand | undefined
  /** By id. None that is built in. */
  compatibleBrand(name: string): CompatibleBrand | undefined
  compatibleBrands(): readonly CompatibleBrand[]
  /** What the overrides say of it, else what the snapshot says. */
  model(brand: string | undefined, id: string): CatalogueModel | undefined
  /** Every model that is known, by brand and id. */
  models(): readonly ListedModel[]
  /** By id or by plain name. */
  family(name: string): Family | undefined
  /** By id or by another spelling. */
  protocol(name: string): Protocol | undefined
  /** The ids of a family's protocols. */
  protocolsOf(family: string): readonly string[]
}

/** A catalogue whose snapshot can be replaced while it is in use. */
export interface RefreshableCatalogue extends Catalogue {
  /** The state of the snapshot alone. */
  readonly snapshotVersion: string
  /** Takes a newer snapshot at once. Brands that it lacks keep the models that the service came with. */
  replaceSnapshot(snapshot: ModelsFile): void
}

type Models<Model> = Readonly<Record<string, Readonly<Record<string, Model>>>>

/** Makes the contents of the files ready to be asked. Reads nothing ahead: it is made anew for every check of a configuration. */
export function createCatalogue(files: CatalogueFiles): RefreshableCatalogue {
  const { families, protocols } = files.protocols
  const { brands } = files.brands
  const shipped: ModelsFile = files.models
  const overrides = files['model-overrides'] ?? { models: {} }
  const compatible = files['compatible-brands']?.brands ?? []
  let snapshot = shipped

  const brandsByName = byNames(brands, ({ id, aliases = [] }) => [id, ...aliases])
  const familiesByName = byNames(families, ({ id, name }) => [id, name])
  const protocolsByName = byNames(protocols, ({ id, aliases }) => [id, ...aliases])
  const family = (name: string): Family | undefined => familiesByName.get(name)
  const protocol = (name: string): Protocol | undefined => protocolsByName.get(name)

  const model = (brand: string | undefined, id: string): CatalogueModel | undefined => {
    if (brand === undefined) return undefined
    const known = modelIn(snapshot.models, brand, id)
    const over = modelIn(overrides.models, brand, id)
    return over ? { ...known, ...over } : known
  }

  return {
    get version() {
      return overrides.version === undefined ? snapshot.version : `${snapshot.version}+${overrides.version}`
    },
    get snapshotVersion() {
      return snapshot.version
    },
    brands,
    brand: (name) => brandsByName.get(name),
    compatibleBrand(name) {
      const entry = brandsByName.has(name) ? undefined : compatible.find(({ id }) => id === name)
      return entry && readCompatibleBrand(entry, { family, protocol })
    },
    compatibleBrands: () =>
      compatible.filter(({ id }) => !brandsByName.has(id)).map((entry) => readCompatibleBrand(entry, { family, protocol })),
    model,
    models: () =>
      [...new Set([...Object.keys(snapshot.models), ...Object.keys(overrides.models)])].flatMap((brand) => {
        const ids = new Set([...Object.keys(snapshot.models[brand] ?? {}), ...Object.keys(overrides.models[brand] ?? {})])
        return [...ids].sort().map((id) => ({ brand, id, model: model(brand, id) ?? {} }))
      }),
    family,
    protocol,
    protocolsOf: (name) => protocols.filter((candidate) => candidate.family === name).map(({ id }) => id),
    replaceSnapshot(newer) {
      snapshot = { version: newer.version, models: { ...shipped.models, ...newer.models } }
    },
  }
}

function modelIn<Model>(models: Models<Model>, brand: string, id: string): Model | undefined {
  const known = Object.hasOwn(models, brand) ? models[brand] : undefined
  return known !== undefined && Object.hasOwn(known, id) ? known[id] : undefined
}

const byNames = <Entry>(entries: readonly Entry[], namesOf: (entry: Entry) => readonly string[]): ReadonlyMap<string, Entry> =>
  new Map(entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)))
