import { createLineState } from '../common/line-state.js'
import { maxPictureBytes, type Picture, pictureSentence, readPicture } from './read-picture.js'

/** A piece of a text, or a picture that stood there as data. */
export type TextOrPicture = { readonly text: string } | { readonly picture: Picture }

/** Takes pictures out of a text in which a gateway wrote them as Markdown with their data. */
export interface PictureFinder {
  /** What is known now of a further piece, cut anywhere. */
  add(piece: string): readonly TextOrPicture[]
  end(): readonly TextOrPicture[]
}

const head = /^!\[[^[\]\n]{0,300}\]\(\s{0,3}<?data:(image\/[a-z0-9.+-]{1,40})(?:;[^;,()\s]{1,60})*;base64,/i
const name = /^!\[[^[\]\n]{0,300}$/
const afterName = /^!\[[^[\]\n]{0,300}\](?:\(\s{0,3}<?(.{0,200}))?$/s
const parameters = /^data:image\/[a-z0-9.+-]{0,40}(?:;[^;,()\s]{0,60}){0,5}$/i
/** More than a head has: with so many characters the next ones decide nothing. */
const maxHead = 1_000
/** What ends the data: its closing bracket, a title before that, or a character that no data has. */
const afterData = /[^A-Za-z0-9+/=_\-\s]/
/** A title, if it is one, and the closing bracket. */
const ending = /^>?\s{0,3}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}')?\s{0,3}\)/
const maxEnding = 320
const maxLength = Math.ceil(maxPictureBytes / 3) * 4 * 1.1

/**
 * Finds `![…](data:image/…;base64,…)`. In code it stays text, as any other link does. A picture that
 * is broken, cut or too large becomes a sentence.
 */
export function createPictureFinder(): PictureFinder {
  const lines = createLineState()
  let held = ''
  /** Of a picture whose data is read. */
  let mediaType: string | undefined
  /** The head as it stood there. */
  let opening = ''
  let data = ''
  let pieces: TextOrPicture[] = []

  const emit = (text: string): void => {
    if (text === '') return
    lines.add(text)
    const last = pieces.at(-1)
    if (last && 'text' in last) pieces[pieces.length - 1] = { text: last.text + text }
    else pieces.push({ text })
  }
  const emitPicture = (given: string): void => {
    const read = readPicture({ mediaType: mediaType ?? '', data: given })
    mediaType = undefined
    data = ''
    if ('sentence' in read) emit(read.sentence)
    else pieces.push({ picture: read })
  }
  /** Reads the data of a picture; true: there is more to read. */
  const readData = (): boolean => {
    const end = held.search(afterData)
    // More than can be taken is not kept in memory.
    if (data.length <= maxLength) data += end < 0 ? held : held.slice(0, end)
    held = end < 0 ? '' : held.slice(end)
    if (end < 0) return false
    const close = ending.exec(held)
    if (!close && held.length < maxEnding && /^[>"'][^\n]*$/.test(held)) return false
    if (close) {
      held = held.slice(close[0].length)
      emitPicture(data)
      return true
    }
    // A text about pictures, such as “![…](data:image/png;base64,<your data>”.
    if (data.length <= maxLength) emit(opening + data)
    else emit(pictureSentence('its data is broken'))
    mediaType = undefined
    data = ''
    return true
  }
  /** Reads as much of `held` as is decided; true: there is more to read. */
  const step = (): boolean => {
    if (mediaType !== undefined) return readData()
    const at = held.indexOf('![')
    if (at < 0) {
      const kept = held.endsWith('!') ? 1 : 0
      emit(held.slice(0, held.length - kept))
      held = held.slice(held.length - kept)
      return false
    }
    emit(held.slice(0, at))
    held = held.slice(at)
    const begin = lines.inCode ? undefined : head.exec(held)
    if (begin) {
      mediaType = begin[1]
      opening = begin[0]
      held = held.slice(begin[0].length)
      return true
    }
    if (!lines.inCode && held.length < maxHead && couldBegin(held)) return false
    emit(held.slice(0, 2))
    held = held.slice(2)
    return true
  }

  const finished = (): readonly TextOrPicture[] => {
    const all = pieces
    pieces = []
    return all
  }
  return {
    add(piece) {
      held += piece
      while (step());
      return finished()
    },
    end() {
      if (mediaType === undefined) emit(held)
      else emit(pictureSentence('its data ends early'))
      held = ''
      mediaType = undefined
      return finished()
    },
  }
}

/** Whether the next characters may make this the head of a picture. */
function couldBegin(text: string): boolean {
  if (name.test(text)) return true
  const rest = afterName.exec(text)
  if (!rest) return false
  const address = rest[1] ?? ''
  return 'data:image/'.startsWith(address.toLowerCase()) || parameters.test(address)
}
