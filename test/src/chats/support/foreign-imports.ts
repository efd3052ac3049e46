import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AgentsKernel } from '../../agents/support/agents-kernel.js'
import type { Api } from '../../support/api.js'
import type { Writer } from '../chat-support.js'

type Json = Record<string, unknown>

/** Whose chats are imported. */
interface Importer {
  readonly person: Pick<Api, 'request'>
}

/** An import as the service presents it. */
export interface SeenImport {
  readonly id: string
  readonly state: string
  readonly product: string | null
  readonly imported: number
  readonly existing: number
  readonly skipped: number
  readonly pictures: number
  readonly bytes_done: number
  readonly bytes_total: number
  readonly failure: string | null
  readonly problems: readonly {
    readonly file: string
    readonly chat: number | null
    readonly title: string | null
    readonly kind: string
    readonly message: string
  }[]
}

/** Puts a file among those of a person. */
export async function putFile(agents: AgentsKernel, username: string, name: string, bytes: Buffer): Promise<void> {
  const file = path.join(agents.kernel.folder, 'data', 'users', username, 'files', name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, bytes)
}

export async function startImport({ person }: Importer, name: string, more: Json = {}): Promise<string> {
  const { status, body } = await person.request('POST', '/api/chats/imports', { path: `files/${name}`, ...more })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return String(body['id'])
}

export const importOf = async ({ person }: Importer, id: string): Promise<SeenImport> =>
  (await person.request('GET', `/api/chats/imports/${id}`)).body as unknown as SeenImport

/** Imports a file and waits for its end. */
export async function importFile(writer: Importer & Pick<Writer, 'stream'>, name: string, more: Json = {}): Promise<SeenImport> {
  const id = await startImport(writer, name, more)
  // Each report renews the time that is waited: a large import takes minutes.
  for (let wanted = 50, ended = false; !ended; ) {
    const { data } = await writer.stream.until(({ name: event, data }) => {
      const told = progressIn(data)
      return event === 'chat_import.updated' && told.id === id && (isFinal(told) || told.imported >= wanted)
    })
    ended = isFinal(progressIn(data))
    wanted = progressIn(data).imported + 50
  }
  return importOf(writer, id)
}

/** All chats of a person by their titles, archived ones too. */
export async function chatsByTitle({ person }: Importer): Promise<ReadonlyMap<string, Json>> {
  const found = new Map<string, Json>()
  for (const archived of [false, true])
    for (let cursor: unknown = ''; cursor !== null; ) {
      const page = await person.request(
        'GET',
        `/api/chats?limit=200&archived=${archived}${cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`,
      )
      for (const chat of page.body['items'] as readonly Json[]) {
        if (found.has(String(chat['title']))) throw new Error(`Two chats have the title ${String(chat['title'])}.`)
        found.set(String(chat['title']), chat)
      }
      cursor = page.body['next_cursor']
    }
  return found
}

/** What an event tells of an import. */
export const progressIn = (data: Json): Pick<SeenImport, 'id' | 'state' | 'imported'> =>
  (data['import'] ?? { id: '', state: '', imported: 0 }) as Pick<SeenImport, 'id' | 'state' | 'imported'>
export const isFinal = ({ state }: Pick<SeenImport, 'state'>): boolean => ['done', 'failed', 'cancelled'].includes(state)
