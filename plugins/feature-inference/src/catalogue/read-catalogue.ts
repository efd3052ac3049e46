import { type TSchema, validate } from '@agent-service/sdk'
import type { Resources } from '@agent-service/sdk/services/resources'
import { catalogueInvalidError } from '../errors.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import { type CatalogueFiles, catalogueFileSchemas } from './catalogue-schema.js'

/** Reads the files of `catalogue/`. @throws `catalogue_invalid` naming the file and every problem. */
export async function readCatalogue(resources: Resources): Promise<Catalogue> {
  const entries = await Promise.all(
    Object.entries(catalogueFileSchemas).map(async ([name, schema]) => [name, await readFile(resources, `catalogue/${name}.json`, schema)]),
  )
  return createCatalogue(Object.fromEntries(entries) as CatalogueFiles)
}

async function readFile(resources: Resources, path: string, schema: TSchema): Promise<unknown> {
  const text = await resources.read(path)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw catalogueInvalidError.create({ path, reason: 'it is not JSON' }, { cause: error })
  }
  const problems = validate(schema, value)
  if (problems.length === 0) return value
  throw catalogueInvalidError.create(
    { path, reason: problems.map((problem) => `${problem.path} ${problem.message}`).join('; ') },
    { problems },
  )
}
