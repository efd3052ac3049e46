import { stat } from 'node:fs/promises'
import type { ConfigurationFile } from '../read/configuration-file.js'
import { formatPath, type ValuePath } from '../schema/dotted-path.js'
import type { SchemaNode } from '../schema/schema-node.js'
import { type Evaluation, sourceIn } from './evaluate.js'

/**
 * `existing` if the database folder exists or the file has any key. Call it before that folder is
 * created.
 */
export async function installationOf(file: ConfigurationFile, databasePath: string): Promise<'fresh' | 'existing'> {
  if (Object.keys(file.value).length > 0) return 'existing'
  return stat(databasePath).then(
    () => 'existing' as const,
    (error: unknown) => {
      // A folder that cannot be accessed exists.
      const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      return isAbsent ? 'fresh' : 'existing'
    },
  )
}

/**
 * Dotted paths of the fields marked for set-up that have no value yet. Entries of maps have none.
 */
export function openChoicesIn(node: SchemaNode, evaluation: Evaluation, path: ValuePath = []): readonly string[] {
  if (node['x-set-up']) return sourceIn(evaluation, path) === 'default' ? [formatPath(path)] : []
  return Object.entries(node.properties ?? {}).flatMap(([name, member]) => openChoicesIn(member, evaluation, [...path, name]))
}
