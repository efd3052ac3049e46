import { dirname } from 'node:path'
import type { JsonObject } from '@agent-service/sdk'
import type { Adapter } from 'lowdb'
import { type DurableFileSystem, replaceFile } from '../disk/index.js'
import { stateDocumentInvalidError } from './errors.js'

/**
 * Keeps one JSON file for lowdb. When `write` resolves, the new content survives a power failure; when it fails or is cut off anywhere, the file
 * has the old content or the new one, whole.
 */
export function createSyncedAdapter<Value extends JsonObject>(path: string, fileSystem: DurableFileSystem): Adapter<Value> {
  const folder = dirname(path)
  return {
    async read() {
      const text = await fileSystem.readFile(path)
      if (text === undefined) return null
      try {
        return JSON.parse(text) as Value
      } catch (cause) {
        throw stateDocumentInvalidError.create({ path, reason: `it is no JSON (${String(cause)})` }, { cause })
      }
    },
    async write(value) {
      await fileSystem.createFolder(folder)
      await replaceFile(fileSystem, path, `${JSON.stringify(value, undefined, 2)}\n`)
    },
  }
}
