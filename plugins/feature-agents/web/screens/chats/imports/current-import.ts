import { isProblem } from '@agent-service/sdk/web'
import { upload, uploadInPieces } from '@agent-service/sdk/web/uploads'
import { createSignal } from 'solid-js'
import { api, onEvent, type Schemas } from '../../../api/index.js'

export type Import = Schemas['ChatImport']

/** A file on its way to the service. */
interface Sending {
  readonly name: string
  readonly share: number
}

/** Larger files are sent in pieces, which survive a break of the connection. */
const wholeBytes = 2 * 1024 * 1024

const [sending, setSending] = createSignal<Sending>()
const [current, setCurrent] = createSignal<Import>()
const [error, setError] = createSignal<unknown>()
let isFollowing = false

/** What is under way here, whether or not the dialog is open: the newest import, and a file on its way. */
export const currentImport = { sending, current, error }

export const isOver = ({ state }: Pick<Import, 'state'>): boolean => state === 'done' || state === 'failed' || state === 'cancelled'

/** Reads the import that is under way, and follows it from now on. What ended before this page was loaded is not shown again. */
export async function readImports(): Promise<void> {
  if (!isFollowing) {
    isFollowing = true
    onEvent('chat_import.updated', ({ data }) => void take(data.import).catch(setError))
    onEvent('reset', () => void readImports().catch(setError))
  }
  const { items } = await api.get('/api/chats/imports', { query: { limit: 1 } })
  const newest = items.find((each) => !isOver(each) || each.id === current()?.id)
  if (newest) setCurrent(newest)
}

/** Its problems come with the last word alone: events stay small. */
async function take(told: Schemas['ChatImportProgress']): Promise<void> {
  const known = current()
  // An older one that ends late is not shown in the place of a newer one.
  if (known && known.id > told.id) return
  if (isOver(told)) setCurrent(await api.get('/api/chats/imports/{import_id}', { path: { import_id: told.id } }))
  else setCurrent({ problems: [], problems_left_out: 0, ...told })
}

/** Forgets what was shown last, to import another file. */
export function beginAnew(): void {
  setError(undefined)
  setCurrent(undefined)
}

/** Sends a file and has it imported. What fails is in `error`. */
export async function importFile(file: File): Promise<void> {
  if (sending()) return
  beginAnew()
  setSending({ name: file.name, share: 0 })
  const path = `files/imports/${new Date().toISOString().replaceAll(/[:.]/g, '-')} ${file.name.replaceAll(/[/\\]/g, ' ').slice(-100)}`
  const onProgress = (share: number): void => void setSending({ name: file.name, share })
  const { signal } = new AbortController()
  try {
    if (file.size <= wholeBytes) await upload(path, file, onProgress, signal)
    else await uploadInPieces(path, file, { url: undefined, onUrl: () => undefined, onProgress, signal })
    setCurrent(await api.post('/api/chats/imports', { body: { path, remove_file: true } }))
  } catch (cause) {
    setError(cause)
  } finally {
    setSending(undefined)
  }
}

export async function cancelImport(id: string): Promise<void> {
  try {
    setCurrent(await api.post('/api/chats/imports/{import_id}/cancel', { path: { import_id: id } }))
  } catch (cause) {
    if (!isProblem(cause)) throw cause
    setError(cause)
  }
}
