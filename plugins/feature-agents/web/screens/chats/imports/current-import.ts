import { createAction, type SharedQuery } from '@agent-service/sdk/web'
import { upload, uploadInPieces } from '@agent-service/sdk/web/uploads'
import { createSignal } from 'solid-js'
import { api, invalidate, type Schemas, sharedQuery } from '../../../api/index.js'

export type Import = Schemas['ChatImport']

/** A file on its way to the service. */
interface Sending {
  readonly name: string
  readonly share: number
}

/** Larger files are sent in pieces, which survive a break of the connection. */
const wholeBytes = 2 * 1024 * 1024

export const isOver = ({ state }: Pick<Import, 'state'>): boolean => state === 'done' || state === 'failed' || state === 'cancelled'

/** The import that is under way, until the person has seen what came of it. What ended before this page was loaded is not shown again. */
const newest: SharedQuery<Import | undefined> = sharedQuery<Import | undefined>({
  key: ['import'],
  initial: undefined,
  read: async (signal) => {
    const { items } = await api.get('/api/chats/imports', { query: { limit: 1 }, signal })
    const known = newest.value()
    return items.find((each) => !isOver(each) || each.id === known?.id) ?? known
  },
})

const [share, setShare] = createSignal(0)

const importing = createAction(async (file: File) => {
  beginAnew()
  setShare(0)
  const path = `files/imports/${new Date().toISOString().replaceAll(/[:.]/g, '-')} ${file.name.replaceAll(/[/\\]/g, ' ').slice(-100)}`
  const { signal } = new AbortController()
  if (file.size <= wholeBytes) await upload(path, file, setShare, signal)
  else await uploadInPieces(path, file, { url: undefined, onUrl: () => undefined, onProgress: setShare, signal })
  const begun = await api.post('/api/chats/imports', { body: { path, remove_file: true } })
  newest.change(() => begun)
  // It may have ended before its answer was here.
  invalidate(['import'])
})

const cancelling = createAction(async (id: string) => {
  const cancelled = await api.post('/api/chats/imports/{import_id}/cancel', { path: { import_id: id } })
  newest.change(() => cancelled)
})

/** What is under way here, whether or not the dialog is open: the newest import, and a file on its way. */
export const currentImport = {
  current: newest.value,
  sending: (): Sending | undefined => {
    const [file] = importing.given() ?? []
    return file && { name: file.name, share: share() }
  },
  error: (): unknown => importing.failure() ?? cancelling.failure() ?? newest.error(),
}

/** Reads the import that is under way; from then on its end is known. */
export const readImports = newest.read

/** Takes how far an import is, as an event tells it. Its problems come with the end alone: events stay small. */
export function takeProgress(told: Schemas['ChatImportProgress']): void {
  const known = newest.value()
  // An older one that goes on is not shown in the place of a newer one.
  if (!isOver(told) && !(known && known.id > told.id)) newest.change(() => ({ problems: [], problems_left_out: 0, ...told }))
}

/** Forgets what was shown last, to import another file. */
export function beginAnew(): void {
  importing.clear()
  cancelling.clear()
  newest.change(() => undefined)
}

/** Sends a file and has it imported. What fails is in `error`. */
export const importFile = (file: File): void => void importing.run(file)

/** Ends an import. What fails is in `error`. */
export const cancelImport = (id: string): void => void cancelling.run(id)
