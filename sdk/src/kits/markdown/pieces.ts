import type { Token } from 'marked'

/** Longer texts are not given to the lexer: the time that hostile ones take grows with the square of their length. */
const maxPiece = 4_000

/** A part of a text that is read alone. */
export interface Piece {
  readonly kind: 'markdown' | 'code'
  readonly text: string
  /** What follows the mark with which code begins. */
  readonly info: string
}

/** Where a piece begins. */
export interface Place {
  readonly at: number
  /** The head of the table in which it begins, if its first line goes on with the table. */
  readonly head: readonly string[]
  /** Whether the block that is there began before, so that its lines may still stand as far in as its items. */
  readonly isRest: boolean
}

export const beginning: Place = { at: 0, head: [], isRest: false }

/** The tokens of blocks; `undefined` for what is nested too deeply. */
export type ReadBlocks = (text: string) => readonly Token[] | undefined

interface Cut {
  readonly piece: Piece
  readonly next: Place
}

/**
 * The finished piece at a place, and where the next begins; `undefined` while later text may still
 * change it. A text that is whole has no other end than its own. Wherever a text grew from, its
 * finished pieces are the same: it is cut between blocks that do not depend on each other, and what
 * has no such place within the length that the lexer is given is cut by its first lines alone.
 * Fenced code stays whole, whatever its length: what is too long for the lexer stands after the item that it is in.
 */
export function nextPiece(text: string, place: Place, isWhole: boolean, readBlocks: ReadBlocks): Cut | undefined {
  if (place.at >= text.length) return undefined
  const fence = fenceAt(text, place)
  if (fence !== undefined) return codeAt(text, place, fence, isWhole)
  const isAll = text.length - place.at <= maxPiece
  const end = isAll ? text.length : text.lastIndexOf('\n', place.at + maxPiece - 1) + 1
  const flush = flushLine(text, place, end)
  if (flush !== undefined) return cutAt(text, place, flush)
  if (isAll && isWhole) return cutAt(text, place, end)
  const boundary = boundaryBefore(text, place, isAll ? text.lastIndexOf('\n') + 1 : end, readBlocks)
  if (boundary !== undefined) return cutAt(text, place, boundary)
  if (isAll) return undefined
  return end > place.at ? cutBetweenLines(text, place, end) : cutWithinLine(text, place)
}

const cutAt = (text: string, place: Place, at: number): Cut => ({ piece: pieceBetween(text, place, at), next: { ...beginning, at } })

/** What stands at a place and may still grow. */
export function openPiece(text: string, place: Place): Piece {
  const fence = fenceAt(text, place)
  if (fence === undefined) return pieceBetween(text, place, text.length)
  const code = text.slice(fence.from)
  const lastLine = code.slice(code.lastIndexOf('\n') + 1)
  // It may become the end of the code.
  const isEnding =
    lastLine.trim() !== '' && fence.mark.repeat(9).startsWith(lastLine.trim()) && endingOf(fence).test(`${lastLine}${fence.mark}`)
  return { kind: 'code', text: codeOf(isEnding ? code.slice(0, -lastLine.length) : code, fence), info: fence.info }
}

/** A text that is not to be formatted, in its pieces: fenced code is code all the same. */
export function* unformattedPieces(text: string, from: number): Iterable<Piece> {
  const opening = /^ {0,3}(?:`{3,}(?=[^`\n]*$)|~{3,})/gm
  for (let at = from; at < text.length; ) {
    opening.lastIndex = at
    const start = opening.exec(text)?.index ?? text.length
    if (text.slice(at, start).trim() !== '') yield { kind: 'markdown', text: text.slice(at, start), info: '' }
    const cut = nextPiece(text, { ...beginning, at: start }, true, () => [])
    if (cut) yield cut.piece
    at = cut?.next.at ?? text.length
  }
}

interface Fence {
  readonly mark: string
  readonly info: string
  readonly indent: number
  /** Where its code begins. */
  readonly from: number
}

function fenceAt(text: string, { at, isRest }: Place): Fence | undefined {
  const lineEnd = text.indexOf('\n', at)
  if (lineEnd < 0) return undefined
  const [, indent = '', mark, info = ''] = /^( {0,9})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(text.slice(at, lineEnd)) ?? []
  if (mark === undefined || (indent.length > 3 && !isRest)) return undefined
  return { mark, info: info.trim().replace(/\\([!-/:-@[-`{-~])/g, '$1'), indent: indent.length, from: lineEnd + 1 }
}

const endingOf = ({ mark, indent }: Fence): RegExp => new RegExp(`^ {0,${indent + 3}}${mark}[~\`]*[ \\t]*$`)

const codeOf = (text: string, { indent }: Fence): string => (indent === 0 ? text : text.replace(new RegExp(`^ {1,${indent}}`, 'gm'), ''))

function codeAt(text: string, place: Place, fence: Fence, isWhole: boolean): Cut | undefined {
  const ending = endingOf(fence)
  for (let at = fence.from; ; ) {
    const mark = text.indexOf(fence.mark, at)
    const start = mark < 0 ? text.length : text.lastIndexOf('\n', mark) + 1
    const lineEnd = mark < 0 ? -1 : text.indexOf('\n', mark)
    if (lineEnd < 0 && !isWhole) return undefined
    const end = lineEnd < 0 ? text.length : lineEnd
    const isEnding = mark >= 0 && ending.test(text.slice(start, end))
    if (isEnding || end === text.length) {
      const next = { ...beginning, at: Math.min(end + 1, text.length), isRest: place.isRest }
      if (next.at - place.at <= maxPiece) return { piece: pieceBetween(text, place, next.at), next }
      const code = text.slice(fence.from, isEnding ? start : end)
      return { piece: { kind: 'code', text: codeOf(code, fence), info: fence.info }, next }
    }
    at = end + 1
  }
}

function pieceBetween(text: string, place: Place, end: number): Piece {
  const lines = text.slice(place.at, end).split('\n')
  const head = lines[0]?.includes('|') ? place.head : []
  return { kind: 'markdown', text: [...head, ...(place.isRest ? outdented(lines) : lines)].join('\n'), info: '' }
}

/** Lines of a list that was cut within an item: what is left of them is a list again, and no code. */
function outdented(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0))
  return lines.map((line) => line.slice(indent))
}

/** Where the rest of an item ends, whose lines stand further in. */
function flushLine(text: string, { at, isRest }: Place, end: number): number | undefined {
  if (!isRest || !/^\s/.test(text.slice(at, at + 1))) return undefined
  const found = /\n(?=\S)/.exec(text.slice(at, end))
  return found ? at + found.index + 1 : undefined
}

/**
 * Where the lines of a piece can be cut so that what follows has no effect on what is before, nor the
 * other way round. The first such place beyond the middle, or the last.
 */
function boundaryBefore(text: string, place: Place, end: number, readBlocks: ReadBlocks): number | undefined {
  const lines = text.slice(place.at, end)
  let offset = 0
  let found: number | undefined
  let follows = false
  for (const token of readBlocks(lines) ?? []) {
    if (!lines.startsWith(token.raw, offset)) break
    const isFence = token.type === 'code' && /^ {0,3}(?:```|~~~)/.test(token.raw)
    if (offset > 0 && (isFence || (follows && /^\S/.test(token.raw)))) found = offset
    if (found !== undefined && found > maxPiece / 2) break
    follows = token.type === 'space' || /\n[ \t]*\n$/.test(token.raw)
    offset += token.raw.length
  }
  return found === undefined ? undefined : place.at + found
}

/** The block is longer than what the lexer is given. */
function cutBetweenLines(text: string, place: Place, end: number): Cut {
  const lines = text.slice(place.at, end).split('\n').slice(0, -1)
  const fence = openFenceIn(lines)
  const count = fence > 0 ? fence : endOf(lines)
  const at = place.at + lines.slice(0, count).reduce((sum, { length }) => sum + length + 1, 0)
  const head = lines[0]?.includes('|') ? place.head : []
  return {
    piece: pieceBetween(text, place, at),
    next: { at, head: fence > 0 ? [] : tableHead([...head, ...lines.slice(0, count)]), isRest: true },
  }
}

/** Between words, if the line has any. */
function cutWithinLine(text: string, place: Place): Cut {
  const part = text.slice(place.at, place.at + maxPiece)
  const space = part.search(/\s\S*$/)
  const length = space > maxPiece / 2 ? space + 1 : maxPiece - (/[\ud800-\udbff]$/.test(part) ? 1 : 0)
  const at = place.at + length
  return { piece: pieceBetween(text, place, at), next: { ...beginning, at } }
}

/** The line at which code begins that has not ended; -1 if there is none. */
function openFenceIn(lines: readonly string[]): number {
  let open: { readonly at: number; readonly ending: RegExp } | undefined
  for (const [at, line] of lines.entries()) {
    const fence = open === undefined ? fenceAt(`${line}\n`, { ...beginning, isRest: true }) : undefined
    if (fence) open = { at, ending: endingOf(fence) }
    else if (open?.ending.test(line)) open = undefined
  }
  return open?.at ?? -1
}

/** Rather before a line without indentation than within an item of a list. */
function endOf(part: readonly string[]): number {
  for (let at = part.length - 1; at > part.length / 2; at -= 1) if (/^\S/.test(part[at] ?? '')) return at
  return part.length
}

/** The head of the table with which lines end. */
function tableHead(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/.test(line))
  const isOneTable = at > 0 && lines.slice(at - 1).every((line) => line.includes('|'))
  const head = isOneTable ? lines.slice(at - 1, at + 1) : []
  return head.join('').length < maxPiece / 8 ? head : []
}
