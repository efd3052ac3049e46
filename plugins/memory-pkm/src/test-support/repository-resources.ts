import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Resources } from '@agent-service/sdk/services/resources'

const folder = fileURLToPath(new URL('../../../../resources/', import.meta.url))

/** The data that ships with the service. */
export const repositoryResources: Resources = {
  list: async (name) => (await readdir(`${folder}${name}`)).sort(),
  read: (path) => readFile(`${folder}${path}`, 'utf8'),
}
