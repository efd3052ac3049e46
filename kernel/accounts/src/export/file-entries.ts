import { defineError } from '@agent-service/sdk'
import type { OpenUserFile, UserFileEntry, UserFolder } from '@agent-service/sdk/services/user-files'
import type { ArchiveEntry } from './archive-entry.js'
import { addForbidden, addProblem, type PartReport } from './export-report.js'

/** The list of an archive's files is in memory until its end, so there is a bound. */
export const maxFilesOfArchive = 100_000

const tooManyFilesError = defineError<{ readonly max: number }>({
  code: 'too_many_files',
  status: 422,
  title: 'Too many files',
  message: ({ max }) => `An archive has at most ${max} files; the rest is left out. Download it folder by folder.`,
})

interface Exporting {
  readonly folder: UserFolder
  readonly report: PartReport
  readonly signal: AbortSignal
  /** How many files the archive still takes; shared by all folders. */
  readonly room: { files: number }
  /** Whether the policies permit the person to read a file, by its path in the folder. */
  readonly mayRead: (path: string) => Promise<boolean>
  /** A file that could not be read; the archive goes on without it, or without its end. */
  readonly onFailure: (error: unknown) => void
}

interface Frame {
  readonly path: string
  items: readonly UserFileEntry[]
  index: number
  after: string | undefined
}

/**
 * The files below a folder, with their paths and times. One piece of one file is in memory, and a
 * page of names for each level. Links are not followed. The policies are asked about each file right
 * before it is opened, as for its content.
 */
export async function* fileEntries(exporting: Exporting): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { report, signal, room } = exporting
  const frames: Frame[] = [await firstPage(exporting, '')]
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    signal.throwIfAborted()
    const item = frame.items[frame.index]
    frame.index += 1
    if (!item) {
      if (frame.after === undefined) frames.pop()
      else await nextPage(exporting, frame)
    } else if (item.kind === 'folder') frames.push(await firstPage(exporting, item.path))
    else if (item.kind !== 'file') report.skipped += 1
    else if (room.files <= 0) {
      addProblem(report, tooManyFilesError.create({ max: maxFilesOfArchive }))
      return
    } else if (!(await exporting.mayRead(item.path))) addForbidden(report, item.path)
    else {
      room.files -= 1
      yield* fileEntry(exporting, item.path)
    }
  }
}

async function firstPage(exporting: Exporting, path: string): Promise<Frame> {
  const frame: Frame = { path, items: [], index: 0, after: undefined }
  await nextPage(exporting, frame, true)
  return frame
}

async function nextPage({ folder, report, signal, onFailure }: Exporting, frame: Frame, isFirst = false): Promise<void> {
  const { path, after } = frame
  frame.items = []
  frame.index = 0
  frame.after = undefined
  try {
    const page = await folder.list(path, { signal, ...(after === undefined ? {} : { after }) })
    if (!page) return
    frame.items = page.items
    frame.after = page.next
    if (isFirst) report.skipped += page.unnameable
  } catch (error) {
    signal.throwIfAborted()
    addProblem(report, error, path)
    onFailure(error)
  }
}

async function* fileEntry(exporting: Exporting, path: string): AsyncGenerator<ArchiveEntry, void, undefined> {
  const { folder, report, signal, onFailure } = exporting
  let file: OpenUserFile | undefined
  try {
    file = await folder.open(path)
  } catch (error) {
    signal.throwIfAborted()
    addProblem(report, error, path)
    onFailure(error)
  }
  if (!file) return
  const bytes = file.stream()
  try {
    report.items += 1
    yield { name: `${report.folder}/${path}`, modifiedAt: file.modifiedAt, input: readAll(exporting, path, bytes) }
  } finally {
    await bytes.return?.()
  }
}

/** The bytes of a file; a failure ends them and is reported. */
async function* readAll(
  { report, signal, onFailure }: Exporting,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of bytes) {
      report.bytes += piece.byteLength
      yield piece
    }
  } catch (error) {
    signal.throwIfAborted()
    addProblem(report, error, path)
    onFailure(error)
  }
}
