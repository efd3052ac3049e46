import type { JsonValue } from '@agent-service/sdk'
import type { DatabaseConnection } from '@agent-service/sdk/contracts/database-driver'

/** The files of users to which documents refer. */
export interface References {
  readonly documents: number
  readonly references: number
  readonly missing: number
}

const pageSize = 200
/** The collection of accounts, with the names of their folders. */
const accountsName = 'kernel.users'

/**
 * Counts the documents of a database, and the files of users to which they refer: by an object with
 * `name`, `size` and `path`, a path below the user's folder, in a document with `user_id`.
 */
export async function countReferences(
  connection: DatabaseConnection,
  options: { readonly isThere: (path: string) => boolean; readonly signal: AbortSignal },
): Promise<References> {
  const handles = new Map<string, string>()
  const layouts = await connection.layouts()
  if (layouts.some(({ name }) => name === accountsName))
    for await (const { id, value } of documentsOf(connection, accountsName, options.signal))
      if (typeof value['handle'] === 'string') handles.set(id, value['handle'])
  let documents = 0
  let references = 0
  let missing = 0
  for (const { name } of layouts) {
    for await (const { value } of documentsOf(connection, name, options.signal)) {
      documents += 1
      const handle = handles.get(String(value['user_id']))
      if (handle === undefined) continue
      for (const path of pathsIn(value)) {
        references += 1
        if (!options.isThere(`users/${handle}/${path}`)) missing += 1
      }
    }
  }
  return { documents, references, missing }
}

async function* documentsOf(connection: DatabaseConnection, name: string, signal: AbortSignal) {
  let afterId: string | undefined
  for (;;) {
    signal.throwIfAborted()
    const page = await connection.scan(name, { limit: pageSize, ...(afterId === undefined ? {} : { afterId }) })
    for (const { id, body } of page) yield { id, value: JSON.parse(body) as Readonly<Record<string, JsonValue>> }
    if (page.length < pageSize) return
    afterId = page.at(-1)?.id
  }
}

function* pathsIn(value: JsonValue): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) {
    const { path, name, size } = value as Readonly<Record<string, JsonValue>>
    if (typeof path === 'string' && typeof name === 'string' && typeof size === 'number') yield path
  }
  for (const member of Object.values(value)) yield* pathsIn(member)
}
