import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type DurableFileSystem, replaceFile } from '@agent-service/kernel-core/disk'
import type { StateDocument, StateDocuments } from '@agent-service/kernel-core/state-documents'
import { defineError, type JsonObject, type TObject, validate } from '@agent-service/sdk'
import { type Adapter, Low } from 'lowdb'

export const stateDocumentInvalidError = defineError<{ readonly path: string; readonly reason: string }>({
  code: 'state_document_invalid',
  status: 500,
  title: 'State document invalid',
  message: ({ path, reason }) => `${path} is not valid: ${reason}. Correct the file, or move it away to start with the defaults.`,
})

const documentName = /^[a-z][a-z0-9-]{0,63}$/

/**
 * Keeps state documents in a folder, `{storage.data_dir}/system`, which is created at the first
 * write. Only one process may write in it. Opening a name again returns the same document.
 */
export function createStateDocuments(folder: string, fileSystem: DurableFileSystem): StateDocuments {
  const documents = new Map<string, Promise<StateDocument<JsonObject>>>()
  return {
    async open<Value extends JsonObject>(document: { readonly name: string; readonly schema: TObject; readonly initial: Value }) {
      const { name } = document
      const path = join(folder, `${name}.json`)
      if (!documentName.test(name))
        throw stateDocumentInvalidError.create({
          path,
          reason: 'its name must have only lower-case letters, digits and “-”, and begin with a letter',
        })
      let opening = documents.get(name)
      if (!opening) {
        opening = openDocument({ ...document, path, fileSystem })
        documents.set(name, opening)
        // A corrected file can be opened again.
        opening.catch(() => documents.delete(name))
      }
      // The schema guarantees the type.
      return (await opening) as StateDocument<JsonObject> as unknown as StateDocument<Value>
    },
  }
}

async function openDocument(options: {
  readonly path: string
  readonly schema: TObject
  readonly initial: JsonObject
  readonly fileSystem: DurableFileSystem
}): Promise<StateDocument<JsonObject>> {
  const { path, schema, initial, fileSystem } = options
  const checked = (value: JsonObject): JsonObject => {
    const problems = validate(schema, value)
    if (problems.length > 0) {
      const reason = problems.map((problem) => `${problem.path} ${problem.message}`).join('; ')
      throw stateDocumentInvalidError.create({ path, reason }, { problems })
    }
    const copy = JSON.parse(JSON.stringify(value), (_name, member: unknown) => Object.freeze(member)) as JsonObject
    if (!isDeepStrictEqual(copy, value))
      throw stateDocumentInvalidError.create({ path, reason: 'it contains a value that JSON cannot represent' })
    return copy
  }
  const low = new Low<JsonObject>(createSyncedAdapter(path, fileSystem), checked(initial))
  await low.read()
  low.data = checked(low.data)
  /** The last durable value, which readers get. */
  let value = low.data
  let updating: Promise<unknown> = Promise.resolve()

  return {
    read: () => value,
    update(change) {
      const result = updating.then(async () => {
        low.data = checked(change(value))
        await low.write()
        value = low.data
        return value
      })
      updating = result.catch(() => undefined)
      return result
    },
  }
}

/**
 * An adapter of lowdb for one JSON file. When `write` resolves, the new content survives a power
 * failure; if it fails or is interrupted at any point, the file has completely the old content or
 * the new one.
 */
function createSyncedAdapter<Value extends JsonObject>(path: string, fileSystem: DurableFileSystem): Adapter<Value> {
  const folder = dirname(path)
  return {
    async read() {
      const text = await fileSystem.readFile(path)
      if (text === undefined) return null
      try {
        return JSON.parse(text) as Value
      } catch (cause) {
        throw stateDocumentInvalidError.create({ path, reason: `it is not JSON (${String(cause)})` }, { cause })
      }
    },
    async write(value) {
      await fileSystem.createFolder(folder)
      await replaceFile(fileSystem, path, `${JSON.stringify(value, undefined, 2)}\n`)
    },
  }
}
