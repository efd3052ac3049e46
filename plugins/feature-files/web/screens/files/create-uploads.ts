import { isProblem } from '@agent-service/sdk/web'
import { upload, uploadInPieces } from '@agent-service/sdk/web/uploads'
import { createSignal, onCleanup } from 'solid-js'
import { api } from '../../api/index.js'

/** Larger files are sent in pieces. */
const wholeBytes = 2 * 1024 * 1024

/** A file on its way, or one that was on its way earlier. */
export interface UploadRow {
  readonly path: string
  readonly name: string
  readonly size: number
  readonly share: number
  /** `unfinished`: begun earlier, and its file must be chosen again. */
  readonly state: 'waiting' | 'running' | 'paused' | 'failed' | 'unfinished'
  readonly file?: File
  /** Of what has arrived. */
  readonly url?: string
  /** Of the file, as the browser that began it has said. */
  readonly lastModified?: string | null
  readonly error?: unknown
}

export type Uploads = ReturnType<typeof createUploads>

/** Uploads into one folder, one after the other. What failed or is paused stays until it is dismissed. */
export function createUploads(folder: string, onDone: () => void) {
  const [rows, setRows] = createSignal<readonly UploadRow[]>([])
  const controllers = new Map<string, AbortController>()
  let isOver = false
  onCleanup(() => {
    isOver = true
    for (const controller of controllers.values()) controller.abort()
  })
  const change = (path: string, next: Partial<UploadRow>): void =>
    void setRows((all) => all.map((each) => (each.path === path ? { ...each, ...next } : each)))
  const drop = (path: string): void => void setRows((all) => all.filter((each) => each.path !== path))
  const rowOf = (path: string): UploadRow | undefined => rows().find((each) => each.path === path)

  const send = async (row: UploadRow, file: File): Promise<void> => {
    const controller = new AbortController()
    controllers.set(row.path, controller)
    change(row.path, { state: 'running', error: undefined })
    const onProgress = (share: number): void => change(row.path, { share })
    try {
      if (file.size <= wholeBytes) await upload(row.path, file, onProgress, controller.signal)
      else
        await uploadInPieces(row.path, file, {
          url: row.url,
          onUrl: (url) => change(row.path, { url }),
          onProgress,
          signal: controller.signal,
        })
      drop(row.path)
    } catch (error) {
      if (isProblem(error, 'aborted')) change(row.path, { state: 'paused' })
      else change(row.path, { state: 'failed', error })
    } finally {
      controllers.delete(row.path)
    }
  }
  const nextWaiting = (): UploadRow | undefined => (isOver ? undefined : rows().find(({ state }) => state === 'waiting'))
  let isSending = false
  const sendAll = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    for (let next = nextWaiting(); next?.file; next = nextWaiting()) await send(next, next.file)
    isSending = false
    if (!isOver) onDone()
  }

  const loadUnfinished = async (): Promise<void> => {
    const { items } = await api.get('/api/files/uploads', { query: { limit: 100 } })
    const found = items
      .filter(({ path }) => path.slice(0, path.lastIndexOf('/')) === folder && !rowOf(path))
      .map(({ id, path, size, offset, last_modified }): UploadRow => {
        const name = path.slice(path.lastIndexOf('/') + 1)
        const share = size === 0 ? 1 : offset / size
        return { path, name, size, share, state: 'unfinished', url: `/api/files/uploads/${id}`, lastModified: last_modified }
      })
    if (!isOver) setRows((all) => [...all, ...found])
  }

  return {
    rows,
    loadUnfinished,
    add(files: readonly File[]): void {
      for (const file of files) {
        const path = `${folder}/${file.name}`
        const known = rowOf(path)
        if (known?.state === 'running' || known?.state === 'waiting') continue
        const isSame = known?.size === file.size && (known.file?.lastModified ?? Number(known.lastModified)) === file.lastModified
        const begun = isSame && known.url !== undefined ? { url: known.url, share: known.share } : { share: 0 }
        const row: UploadRow = { path, name: file.name, size: file.size, state: 'waiting', file, ...begun }
        setRows((all) => [...all.filter((each) => each.path !== path), row])
      }
      void sendAll()
    },
    pause: (row: UploadRow): void => controllers.get(row.path)?.abort(),
    goOn(row: UploadRow): void {
      change(row.path, { state: 'waiting' })
      void sendAll()
    },
    /** Forgets a row, and what has arrived of it. */
    async dismiss(row: UploadRow): Promise<void> {
      controllers.get(row.path)?.abort()
      drop(row.path)
      const id = row.url?.split('/').at(-1)
      if (id === undefined) return
      try {
        await api.delete('/api/files/uploads/{upload_id}', { path: { upload_id: id } })
        onDone()
      } catch (error) {
        // What is gone already, or about to be, is removed after a day at the latest.
        if (!isProblem(error)) throw error
      }
    },
  }
}
