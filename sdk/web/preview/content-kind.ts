/** How a file is shown. `none`: not at all, it can be saved. */
export type ContentKind = 'image' | 'audio' | 'video' | 'pdf' | 'drawing' | 'page' | 'table' | 'markdown' | 'text' | 'none'

const byName: readonly (readonly [RegExp, ContentKind])[] = [
  [/\.(csv|tsv|tab)$/i, 'table'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.html?$/i, 'page'],
  [/\.svg$/i, 'drawing'],
]

/** What the service found in the bytes; the name tells only texts apart. */
export function contentKind(type: string, name: string, beginning: Uint8Array): ContentKind {
  const [, media] = /^(image|audio|video)\//.exec(type) ?? []
  if (media !== undefined) return media as 'image' | 'audio' | 'video'
  if (type === 'application/pdf') return 'pdf'
  if (!hasUtf16Mark(beginning) && beginning.includes(0)) return 'none'
  return byName.find(([ending]) => ending.test(name))?.[1] ?? 'text'
}

/** How much of a file is read to show it; a larger picture comes by its address. */
export const maxBytesOf: Readonly<Record<ContentKind, number>> = {
  image: 25_000_000,
  audio: 0,
  video: 0,
  pdf: 0,
  none: 0,
  drawing: 1_000_000,
  page: 2_000_000,
  table: 2_000_000,
  markdown: 200_000,
  text: 200_000,
}

export const hasUtf16Mark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Texts say by a mark that they are UTF-16; what is no UTF-8 is taken for Windows-1252. `isCut`: the last character may be half. */
export function decodeText(bytes: Uint8Array, isCut: boolean): string {
  if (hasUtf16Mark(bytes)) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes, { stream: isCut })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
