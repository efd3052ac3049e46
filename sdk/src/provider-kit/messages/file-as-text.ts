import type { FilePart, ImagePart, TextPart } from '../../contracts/provider-adapter/content.js'
import { isTextFile } from '../../contracts/provider-adapter/text-file.js'

/** Parts in which every file is text, for protocols that carry no files: see {@link fileAsText}. */
export const filesAsText = (parts: readonly (TextPart | ImagePart | FilePart)[]): readonly (TextPart | ImagePart)[] =>
  parts.map((part) => (part.type === 'file' ? fileAsText(part) : part))

/**
 * A file as a part of text. Of a file of text it is the whole content, under a line with its name
 * and media type, between two lines of backticks; these are more than ever follow each other in the
 * content, so that nothing in it can end it early and pass for what the person wrote. Every other
 * file is a note in brackets which says that it was left out: what is not text by its media type,
 * what is at an address, what is not well-formed UTF-8 or has a zero byte, and what is empty. The
 * same file always comes to the same text.
 */
export function fileAsText(part: FilePart): TextPart {
  const name = part.name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  if (!isTextFile(part)) return note(`file ${name} left out`)
  const text = textOfFile(part)
  if (text === undefined) return note(`file ${name} left out: its content is not text in UTF-8`)
  if (text === '') return note(`file ${name}, which is empty`)
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  const mediaType = part.media_type.split(';')[0]?.trim() ?? ''
  const ending = text.endsWith('\n') ? '' : '\n'
  return {
    type: 'text',
    text: `File ${name} (${mediaType}), from one line of ${fence.length} backticks to the next:\n${fence}\n${text}${ending}${fence}`,
  }
}

const note = (what: string): TextPart => ({ type: 'text', text: `(${what})` })

/**
 * The content of a file of text, without a byte order mark. `undefined` if it is none: by its media
 * type, at an address, not well-formed UTF-8, or with a zero byte.
 */
export function textOfFile(part: FilePart): string | undefined {
  if (!isTextFile(part)) return undefined
  const bytes = Buffer.from(part.data ?? '', 'base64')
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const longestRun = (text: string): number => (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
