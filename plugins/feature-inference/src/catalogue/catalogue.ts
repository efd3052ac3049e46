import { type TSchema, validate } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'
import { catalogueInvalidError } from '../errors.js'
import { type Brand, brandsFileSchema, type ModelLimits, modelsFileSchema } from './catalogue-schema.js'

/** Brands and models as data. */
export interface Catalogue {
  /** In the order of discovery. */
  readonly brands: readonly Brand[]
  /** By id or by a legacy spelling. */
  brand(name: string): Brand | undefined
  limits(brand: string, model: string): ModelLimits | undefined
}

/** Reads `catalogue/brands.json` and `catalogue/models.json`. @throws `catalogue_invalid` naming the file and every problem. */
export async function readCatalogue(resources: Resources): Promise<Catalogue> {
  const [brandsFile, modelsFile] = await Promise.all([
    readFile<{ readonly brands: readonly Brand[] }>(resources, 'catalogue/brands.json', brandsFileSchema),
    readFile<{ readonly models: Readonly<Record<string, Readonly<Record<string, ModelLimits>>>> }>(
      resources,
      'catalogue/models.json',
      modelsFileSchema,
    ),
  ])
  const byName = new Map(brandsFile.brands.flatMap((brand) => [brand.id, ...(brand.aliases ?? [])].map((name) => [name, brand] as const)))
  const limits = new Map(
    Object.entries(modelsFile.models).flatMap(([brand, models]) =>
      Object.entries(models).map(([model, entry]) => [`${brand} ${model}`, entry] as const),
    ),
  )
  return { brands: brandsFile.brands, brand: (name) => byName.get(name), limits: (brand, model) => limits.get(`${brand} ${model}`) }
}

async function readFile<T>(resources: Resources, path: string, schema: TSchema): Promise<T> {
  const text = await resources.read(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw catalogueInvalidError.create({ path, reason: 'it is not JSON' }, { cause: error })
  }
  const problems = validate(schema, value)
  if (problems.length === 0) return value as T
  throw catalogueInvalidError.create(
    { path, reason: problems.map((problem) => `${problem.path} ${problem.message}`).join('; ') },
    { problems },
  )
}
