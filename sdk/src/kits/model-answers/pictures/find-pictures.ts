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

const head = /^!\[[^\]\n]{0,300}\]\(\s{0,3}<?data:(image\/[a-z0-9.+-]{1,40})(?:;[^;,()\s]{1,60})*;base64,/i
const name = /^!\[[^\]\n]{0,300}$/
const afterName = /^!\[[^\]\n]{0,300}\](?:\(\s{0,3}<?(.{0,200}))?$/s
const parameters = /^data:image\/[a-z0-9.+-]{0,40}(?:;[^;,()\s]{0,60}){0,5}$/i
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
  /** Reads as much of `held` as is decided; true: there is more to read. */
  const step = (): boolean => {
    if (mediaType !== undefined) {
      const close = held.indexOf(')')
      // More than can be taken is not kept in memory.
      if (data.length <= maxLength) data += close < 0 ? held : held.slice(0, close)
      held = close < 0 ? '' : held.slice(close + 1)
      if (close < 0) return false
      emitPicture(data.replace(/[>"'][\s\S]*$|\s+["'][\s\S]*$/, ''))
      return true
    }
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
      held = held.slice(begin[0].length)
      return true
    }
    if (!lines.inCode && couldBegin(held)) return false
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
