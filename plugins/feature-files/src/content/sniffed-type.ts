import { contentType } from 'mime-types'

/** How many bytes of the beginning say what a file is. */
export const sniffedBytes = 4_100

/**
 * Types that a browser shows and never runs as a script or style of the page that requests them.
 * Everything else is sent as plain bytes: with `nosniff`, a file of a user is never a script of
 * this origin.
 */
const harmless = /^(image\/(png|apng|jpeg|gif|webp|avif)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|application\/(pdf|ogg))$/

const plainText = 'text/plain; charset=utf-8'
const anyBytes = 'application/octet-stream'

/**
 * The media type with which a file is sent: by its first bytes. The name only decides whether text
 * is sent as text.
 */
export async function sniffedTypeOf(name: string, beginning: Uint8Array): Promise<string> {
  const found = await magicOf(beginning)
  if (found !== undefined) return harmless.test(found) ? found : anyBytes
  return contentType(name) === plainText && isText(beginning) ? plainText : anyBytes
}

/** What the first bytes are by their signature; `undefined` for text and for what is not known. */
async function magicOf(beginning: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    return (await fileTypeFromBuffer(beginning))?.mime.split(';')[0]
  } catch (error) {
    // A signature whose rest is cut off or damaged.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Whether bytes can be the beginning of UTF-8 text. */
export function isText(beginning: Uint8Array): boolean {
  if (beginning.includes(0)) return false
  try {
    // With `stream`, a character that is cut off at the end is none that is wrong.
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true })
    return true
  } catch {
    return false
  }
}
