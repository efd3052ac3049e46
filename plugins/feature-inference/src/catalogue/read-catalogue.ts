import { ServiceError, type TSchema, validate } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'
import { catalogueInvalidError } from '../common/errors.js'
import { createCatalogue, type RefreshableCatalogue } from './catalogue.js'
import { type CatalogueFiles, catalogueFileSchemas, optionalCatalogueFileSchemas } from './catalogue-schema.js'
import { modelsPlainlyHold, overridesPlainlyHold } from './models-hold.js'

/** Reads the files of `catalogue/`. @throws `catalogue_invalid` naming the file and every problem. */
export async function readCatalogue(resources: Resources): Promise<RefreshableCatalogue> {
  const entries = await Promise.all([
    ...Object.entries(catalogueFileSchemas).map(async ([name, schema]) => [
      [name, await readFile(resources, `catalogue/${name}.json`, schema)] as const,
    ]),
    ...Object.entries(optionalCatalogueFileSchemas).map(async ([name, schema]) => {
      const contents = await readFile(resources, `catalogue/${name}.json`, schema).catch(undefinedWhereAbsent)
      return contents === undefined ? [] : [[name, contents] as const]
    }),
  ])
  return createCatalogue(Object.fromEntries(entries.flat()) as CatalogueFiles)
}

/** The two lists of models have a quick check. */
const plainlyHolds: ReadonlyMap<TSchema, (value: unknown) => boolean> = new Map<TSchema, (value: unknown) => boolean>([
  [catalogueFileSchemas.models, modelsPlainlyHold],
  [optionalCatalogueFileSchemas['model-overrides'], overridesPlainlyHold],
])

/** How many problems of a file are told. */
const maxListed = 10

async function readFile(resources: Resources, path: string, schema: TSchema): Promise<unknown> {
  const text = await resources.read(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw catalogueInvalidError.create({ path, reason: 'it is not JSON' }, { cause: error })
  }
  const problems = plainlyHolds.get(schema)?.(value) === true ? [] : validate(schema, value)
  if (problems.length === 0) return value
  const told = problems.slice(0, maxListed)
  const more = problems.length > told.length ? `; and ${problems.length - told.length} more` : ''
  throw catalogueInvalidError.create(
    { path, reason: `${told.map((problem) => `${problem.path} ${problem.message}`).join('; ')}${more}` },
    { problems: told },
  )
}

function undefinedWhereAbsent(error: unknown): undefined {
  if (ServiceError.isInstance(error) && error.code === 'not_found') return undefined
  throw error
}
