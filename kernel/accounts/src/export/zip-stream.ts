import type { ArchiveEntry } from './archive-entry.js'

/** The times that an archive can say, in milliseconds since 1970; with room for every time zone. */
const earliest = Date.UTC(1980, 0, 2)
const latest = Date.UTC(2107, 11, 30)

/**
 * The bytes of a zip archive (Zip64 where it is needed), not compressed, as they are asked for.
 * Returning it aborts the entries' signal and returns them, so that what they opened is closed.
 */
export async function* zipStream(
  entriesFor: (signal: AbortSignal) => AsyncGenerator<ArchiveEntry, void, undefined>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { makeZip } = await import('client-zip')
  const controller = new AbortController()
  const entries = entriesFor(AbortSignal.any([signal, controller.signal]))
  const reader = makeZip(filesOf(entries)).getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
  } finally {
    controller.abort(new DOMException('The archive ended.', 'AbortError'))
    // The library closes neither its source nor its inputs.
    await Promise.allSettled([reader.cancel(), entries.return()])
  }
}

async function* filesOf(entries: AsyncIterable<ArchiveEntry>) {
  for await (const { name, modifiedAt, input } of entries)
    yield { name, lastModified: new Date(Math.min(Math.max(modifiedAt, earliest), latest)), input }
}
