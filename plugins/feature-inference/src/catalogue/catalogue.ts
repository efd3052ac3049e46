import type { Brand, CatalogueFiles, CatalogueModel, Family, ModelsFile, Protocol } from './catalogue-schema.js'
import { type CompatibleBrand, readCompatibleBrand } from './compatible-brands.js'

/** The context window if neither configuration nor catalogue has one, in tokens. */
export const defaultContextWindow = 128_000

/**
 * The output limit if the protocol requires one and neither configuration nor catalogue has it, in
 * tokens.
 */
export const defaultMaxOutputTokens = 8_192

/** A model with its brand and its id. */
export interface ListedModel {
  readonly brand: string
  readonly id: string
  readonly model: CatalogueModel
}

/** Brands, models, families and protocols as data. */
export interface Catalogue {
  /** The version of prices and limits. Changes with a refresh. */
  readonly version: string
  /** The built-in ones, in the order of discovery. */
  readonly brands: readonly Brand[]
  /** Finds a built-in brand by id or legacy spelling. */
  brand(name: string): Brand | undefined
  /** Finds by id a brand that is not built in. */
  compatibleBrand(name: string): CompatibleBrand | undefined
  compatibleBrands(): readonly CompatibleBrand[]
  /** The model from the snapshot with the overrides applied. */
  model(brand: string | undefined, id: string): CatalogueModel | undefined
  /** The display name of a model; of one that its brand does not list, the name under which another brand has the same id. */
  nameOf(brand: string | undefined, id: string): string | undefined
  /** All models, by brand and id. */
  models(): readonly ListedModel[]
  /** Finds by id or plain name. */
  family(name: string): Family | undefined
  /** Finds by id or another spelling. */
  protocol(name: string): Protocol | undefined
  /** Whether a model is known to begin its text with reasoning whose opening tag is in the prompt. */
  reasonsInText(id: string): boolean
  /** Whether a model makes vectors of texts and answers nothing, as its name says; never one that the snapshot lists. */
  isEmbeddingModel(brand: string | undefined, id: string): boolean
  /** The ids of a family's protocols. */
  protocolsOf(family: string): readonly string[]
}

/** A catalogue whose snapshot can be replaced while it is in use. */
export interface RefreshableCatalogue extends Catalogue {
  /** The version of the snapshot alone. */
  readonly snapshotVersion: string
  /** Uses a newer snapshot at once. Brands that it lacks keep the models of the installation. */
  replaceSnapshot(snapshot: ModelsFile): void
}

type Models<Model> = Readonly<Record<string, Readonly<Record<string, Model>>>>

/**
 * Indexes the contents of the files. Does little work ahead, because every check of a configuration
 * creates one.
 */
export function createCatalogue(files: CatalogueFiles): RefreshableCatalogue {
  const { families, protocols } = files.protocols
  const { brands } = files.brands
  const shipped: ModelsFile = files.models
  const overrides = files['model-overrides'] ?? { models: {} }
  const compatible = files['compatible-brands']?.brands ?? []
  const reasoningInText = patternsIn(files['inline-reasoning']?.models ?? [])
  const embedding = patternsIn(files['embedding-models']?.models ?? [])
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
    nameOf: (brand, id) => model(brand, id)?.name ?? brands.map((other) => model(other.id, id)?.name).find((name) => name !== undefined),
    models: () =>
      [...new Set([...Object.keys(snapshot.models), ...Object.keys(overrides.models)])].flatMap((brand) => {
        const ids = new Set([...Object.keys(snapshot.models[brand] ?? {}), ...Object.keys(overrides.models[brand] ?? {})])
        return [...ids].sort().map((id) => ({ brand, id, model: model(brand, id) ?? {} }))
      }),
    family,
    protocol,
    reasonsInText: (id) => reasoningInText.some((pattern) => pattern.test(id)),
    isEmbeddingModel: (brand, id) => model(brand, id) === undefined && embedding.some((pattern) => pattern.test(id)),
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

/** Patterns of a file that a deployment may have changed: one that is no regular expression names no model. */
const patternsIn = (sources: readonly string[]): readonly RegExp[] =>
  sources.flatMap((source) => {
    try {
      return [new RegExp(source, 'iu')]
    } catch {
      return []
    }
  })
