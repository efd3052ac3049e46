import type { Resources } from '@agent-service/sdk/services/resources'
import type { PolicyFile } from './engine/engine-jobs.js'

const folder = 'policy'

/** The schema and the policies that ship with the service. */
export interface ShippedFiles {
  readonly schema: PolicyFile
  readonly files: readonly PolicyFile[]
}

/** Reads them: once they have been usable they stay as they are for the life of the process. @throws `not_found` without a schema. */
export async function readShippedFiles(resources: Resources): Promise<ShippedFiles> {
  const read = async (name: string): Promise<PolicyFile> => ({ name, text: await resources.read(`${folder}/${name}`) })
  const names = (await resources.list(folder)).filter((name) => name.endsWith('.cedar'))
  const [schema, ...files] = await Promise.all([read('schema.cedarschema'), ...names.map(read)])
  return { schema, files }
}
