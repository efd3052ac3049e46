/** Longer texts are not given to the lexer: the time that hostile ones take grows with the square of their length. */
const maxPiece = 4_000

/** A part of a text that is read alone. */
export type Piece =
  | { readonly kind: 'markdown'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly info: string }

interface Fence {
  readonly mark: string
  readonly info: string
  /** The line with which it begins. */
  readonly at: number
  /** How far in it stands, such as in an item of a list. */
  readonly indent: number
}

/**
 * Cuts a text at empty lines outside of fenced code and of items of lists. Fenced code stays whole,
 * whatever its length: what is too long for the lexer stands after the item that it is in. Of other
 * long passages each part begins at a line, and a table has its head in each.
 */
export function* piecesOf(markdown: string): Iterable<Piece> {
  let lines: string[] = []
  let length = 0
  let fence: Fence | undefined
  const isLongCode = (): boolean => fence !== undefined && length > maxPiece
  for (const line of markdown.split('\n')) {
    if (fence === undefined && length > maxPiece / 2 && lines.at(-1)?.trim() === '' && /^\S/.test(line)) {
      yield* cut(lines)
      lines = []
      length = 0
    }
    const isEnd = fence !== undefined && endsFence(line, fence)
    if (isEnd && isLongCode()) {
      yield* withCode(lines, fence)
      lines = []
      length = 0
    } else {
      fence ??= fenceAt(line, lines.length)
      lines.push(line)
      length += line.length + 1
    }
    if (isEnd) fence = undefined
  }
  yield* isLongCode() ? withCode(lines, fence) : cut(lines)
}

function fenceAt(line: string, at: number): Fence | undefined {
  const [, indent = '', mark, info = ''] = /^( {0,9})(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(line) ?? []
  return mark === undefined ? undefined : { mark, info: info.trim(), at, indent: indent.length }
}

const endsFence = (line: string, { mark, indent }: Fence): boolean => {
  const text = line.trim()
  return line.search(/\S/) <= indent + 3 && text.startsWith(mark) && text === mark.charAt(0).repeat(text.length)
}

function* withCode(lines: readonly string[], fence: Fence | undefined): Iterable<Piece> {
  if (fence === undefined) return
  yield* cut(lines.slice(0, fence.at))
  const code = lines.slice(fence.at + 1).map((line) => line.slice(Math.min(fence.indent, Math.max(0, line.search(/\S/)))))
  yield { kind: 'code', text: code.join('\n'), info: fence.info }
}

/** Lines as pieces that are short enough. */
function* cut(lines: readonly string[]): Iterable<Piece> {
  if (lines.reduce((sum, { length }) => sum + length + 1, 0) <= maxPiece) return yield* whole(lines)
  let part: string[] = []
  let length = 0
  for (const line of lines.flatMap(shortLines)) {
    if (length + line.length > maxPiece && part.length > 0) {
      const end = endOf(part)
      const rest = part.slice(end)
      yield* whole(outdented(part.slice(0, end)))
      part = [...tableHead(part, rest[0] ?? line), ...rest]
      length = part.reduce((sum, each) => sum + each.length + 1, 0)
    }
    part.push(line)
    length += line.length + 1
  }
  yield* whole(outdented(part))
}

function* whole(lines: readonly string[]): Iterable<Piece> {
  const text = lines.join('\n')
  if (text.trim() !== '') yield { kind: 'markdown', text }
}

/** Lines of a list that was cut within an item: what is left of them is a list again, and no code. */
function outdented(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0))
  return lines.map((line) => line.slice(indent))
}

/** A line as parts that are short enough, cut between words where it has any. */
function shortLines(line: string): readonly string[] {
  return line.length <= maxPiece / 2 ? [line] : (line.match(/.{1,1500}(?:\s|$)|.{1,1500}/gsu) ?? [])
}

/** Rather before a line without indentation than within an item of a list. */
function endOf(part: readonly string[]): number {
  for (let at = part.length - 1; at > part.length / 2; at -= 1) if (/^\S/.test(part[at] ?? '')) return at
  return part.length
}

/** The head of the table that a line goes on with. */
function tableHead(part: readonly string[], next: string): readonly string[] {
  if (!next.includes('|')) return []
  const at = part.findLastIndex((line) => /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/.test(line))
  const isOneTable = at > 0 && part.slice(at - 1).every((line) => line.includes('|'))
  const head = isOneTable ? part.slice(at - 1, at + 1) : []
  return head.join('').length < maxPiece / 8 ? head : []
}
