import { ServiceError, type TSchema, validate } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'
import { catalogueInvalidError } from '../common/errors.js'
import { createCatalogue, type RefreshableCatalogue } from './catalogue.js'
import { type CatalogueFiles, catalogueFileSchemas, optionalCatalogueFileSchemas } from './catalogue-schema.js'
import { isClearlyValidOverrides, isClearlyValidSnapshot } from './fast-validation.js'

/**
 * Reads the files of `catalogue/`. @throws `catalogue_invalid` naming the file and every problem.
 */
export async function readCatalogue(resources: Resources): Promise<RefreshableCatalogue> {
  const entries = await Promise.all([
    ...Object.entries(catalogueFileSchemas).map(async ([name, schema]) => [
      [name, await readFile(resources, `catalogue/${name}.json`, schema)] as const,
    ]),
    ...Object.entries(optionalCatalogueFileSchemas).map(async ([name, schema]) => {
      const contents = await readFile(resources, `catalogue/${name}.json`, schema).catch(undefinedIfMissing)
      return contents === undefined ? [] : [[name, contents] as const]
    }),
  ])
  return createCatalogue(Object.fromEntries(entries.flat()) as CatalogueFiles)
}

/** The two lists of models have a fast check. */
const fastChecks: ReadonlyMap<TSchema, (value: unknown) => boolean> = new Map<TSchema, (value: unknown) => boolean>([
  [catalogueFileSchemas.models, isClearlyValidSnapshot],
  [optionalCatalogueFileSchemas['model-overrides'], isClearlyValidOverrides],
])

/** How many problems of a file the message lists. */
const maxListed = 10

async function readFile(resources: Resources, path: string, schema: TSchema): Promise<unknown> {
  const text = await resources.read(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw catalogueInvalidError.create({ path, reason: 'it is not valid JSON' }, { cause: error })
  }
  const problems = fastChecks.get(schema)?.(value) === true ? [] : validate(schema, value)
  if (problems.length === 0) return value
  const listed = problems.slice(0, maxListed)
  const more = problems.length > listed.length ? `; and ${problems.length - listed.length} more` : ''
  throw catalogueInvalidError.create(
    { path, reason: `${listed.map((problem) => `${problem.path} ${problem.message}`).join('; ')}${more}` },
    { problems: listed },
  )
}

function undefinedIfMissing(error: unknown): undefined {
  if (ServiceError.isInstance(error) && error.code === 'not_found') return undefined
  throw error
}
