/** Control characters but tabs and line ends, and what turns text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Characters that are not seen. The joiners that scripts need (U+200C, U+200D) and the variation selectors of emoji stay. */
const unseen = /[\u00ad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu

/** Text that people and models read alike: line ends are `\n`, characters that only a model would see are left out. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(controls, '')
    .replace(unseen, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')

/**
 * Bytes as text: by their byte order mark, else by the stated charset, else, for HTML, by what its
 * beginning declares, else as UTF-8. Bytes that do not fit become U+FFFD.
 */
export function decodeText(
  bytes: Uint8Array,
  { charset, html = false }: { readonly charset?: string | undefined; readonly html?: boolean },
): string {
  return decoderFor(markOf(bytes) ?? charset ?? (html ? declaredIn(bytes) : undefined)).decode(bytes)
}

/** Whether bytes of HTML need no decoding: neither their mark, the stated charset nor their beginning says otherwise. */
export function isUtf8(bytes: Uint8Array, charset: string | undefined): boolean {
  const name = markOf(bytes) ?? charset ?? declaredIn(bytes) ?? 'utf-8'
  return /^utf-?8$/i.test(name)
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

const declaredIn = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{0,200}charset=["']?\s*([\w.:-]{1,40})/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)))?.[1]

function decoderFor(charset: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    // An unknown charset counts as none.
    return new TextDecoder()
  }
}
