import { mathsAt } from './maths.js'

/** Something that waits for its end. */
interface Open {
  readonly mark: string
  /** How many of the mark. */
  count: number
  readonly at: number
  /** Where what is in it begins. */
  readonly from: number
  readonly end: (count: number) => string
}

interface State {
  /** The text; what is left out of it is left out at once. */
  text: string
  at: number
  readonly open: Open[]
  readonly maths: boolean
  /** How many brackets have been followed to their end. */
  brackets: number
}

/** Marks beyond these stay as they are written, so that the time depends on the length alone: no writer has so many at a time. */
const maxOpen = 8
const maxBrackets = 200

/** Reads what stands at the place, and goes on behind it. False if it is a letter like any other. */
type Step = (state: State) => boolean

/** A text of one paragraph, heading or cell with its open marks closed, and without those that have no text yet. */
export function withoutUnfinishedMarks(text: string, maths: boolean): string {
  const state: State = { text, at: 0, open: [], maths, brackets: 0 }
  while (state.at < state.text.length) if (!steps[state.text.charAt(state.at)]?.(state)) state.at += 1
  return closed(state)
}

function closed({ text, open }: State): string {
  let shown = text.trimEnd()
  const ends: string[] = []
  for (const { at, from, count, end } of open.toReversed()) {
    if (from >= shown.length && ends.length === 0) shown = shown.slice(0, at).trimEnd()
    else ends.push(end(count))
  }
  return shown + ends.join('')
}

const restOf = ({ text, at }: State): string => text.slice(at)

/** Leaves out everything from the place on. */
function cut(state: State): true {
  state.text = state.text.slice(0, state.at)
  return true
}

/** Goes behind as many letters. */
function skip(state: State, length: number): true {
  state.at += length
  return true
}

/** Shows the rest as code, closed. */
function asCode(state: State, begin: string, rest: string): true {
  if (rest.trim() === '') return cut(state)
  const longest = Math.max(0, ...[...rest.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = begin.startsWith('`') && longest !== begin.length ? begin : '`'.repeat(longest + 1)
  state.text = `${state.text.slice(0, state.at)}${ticks}${rest}${ticks}`
  return skip(state, state.text.length)
}

const backslash: Step = (state) => {
  const rest = restOf(state)
  if (rest.length === 1) return cut(state)
  if (!state.maths || !/^\\[([]/.test(rest)) return skip(state, 2)
  const found = mathsAt(rest)
  return found ? skip(state, found.raw.length) : asCode(state, '', rest.slice(2).replace(/\\$/, ''))
}

const code: Step = (state) => {
  const rest = restOf(state)
  const [ticks = ''] = /^`+/.exec(rest) ?? []
  const ending = new RegExp(`(?<!\`)\`{${ticks.length}}(?!\`)`, 'g')
  ending.lastIndex = ticks.length
  const end = ending.exec(rest)
  return end ? skip(state, end.index + ticks.length) : asCode(state, ticks, rest.slice(ticks.length).replace(/`+$/, ''))
}

const dollar: Step = (state) => {
  if (!state.maths) return false
  const rest = restOf(state)
  const found = mathsAt(rest)
  if (found && !/[\p{L}\p{N}]/u.test(state.text.charAt(state.at - 1))) return skip(state, found.raw.length)
  if (rest === '$') return cut(state)
  return rest.startsWith('$$') ? asCode(state, '', rest.slice(2).replace(/\$$/, '')) : false
}

/** Where brackets that begin at the place end; -1 if they do not. */
function endOfBrackets(text: string, from: number, [begin, end]: readonly [string, string]): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (letter === '\\') at += 1
    else if (letter === begin) depth += 1
    else if (letter === end) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return -1
}

const bracket: Step = (state) => {
  const { text, at } = state
  state.brackets += 1
  if (state.brackets > maxBrackets) return false
  const end = endOfBrackets(text, at, ['[', ']'])
  if (end < 0 && text.charAt(at + 1) === '^') return cut(state)
  const label = end < 0 ? text.slice(at + 1) : text.slice(at + 1, end)
  const next = end < 0 ? '' : text.charAt(end + 1)
  const last = next === '(' ? endOfBrackets(text, end + 1, ['(', ')']) : next === '[' ? endOfBrackets(text, end + 1, ['[', ']']) : end
  if (last >= 0 && next !== '') return next === '(' || next === '[' ? skip(state, last + 1 - at) : false
  // At the beginning of a line it may become a note.
  if (label.startsWith('^') && next === '') return /(?:^|\n)$/.test(text.slice(0, at)) ? cut(state) : skip(state, end + 1 - at)
  // A link, or a picture, of which only the words are there.
  const start = text.charAt(at - 1) === '!' ? at - 1 : at
  state.text = text.slice(0, start) + label
  state.at = start
  return true
}

/** After a word it ends a sentence. */
const picture: Step = (state) => restOf(state) === '!' && isSpace(state.text.charAt(state.at - 1)) && cut(state)

const formats = /^<(\/?)(b|code|del|em|i|ins|kbd|mark|s|small|strong|sub|sup|u) ?>/i

const tag: Step = (state) => {
  const rest = restOf(state)
  if (/^<(?:\/?[a-z]{0,8} ?\/?|(?:https?|mailto):[^\s<>]*)$/i.test(rest)) return cut(state)
  const [whole, slash, written = ''] = formats.exec(rest) ?? []
  if (whole === undefined) return skip(state, /^<(?:\/?[a-z][^<>]*|!--[^>]*--)>/i.exec(rest)?.[0].length ?? 1)
  const mark = `<${written.toLowerCase()}`
  const known = state.open.findLastIndex((each) => each.mark === mark)
  if (slash === '' && state.open.length < maxOpen)
    state.open.push({ mark, count: 1, at: state.at, from: state.at + whole.length, end: () => `</${written}>` })
  else if (known >= 0) state.open.splice(known)
  return skip(state, whole.length)
}

const entity: Step = (state) => /^&#?\w{0,9}$/.test(restOf(state)) && cut(state)

/** An address has no marks in it. */
const address: Step = (state) => {
  if (/[\p{L}\p{N}]/u.test(state.text.charAt(state.at - 1))) return false
  const length = /^https?:\/\/[^\s<]*/.exec(restOf(state))?.[0].length
  return length !== undefined && skip(state, length)
}

const isSpace = (letter: string): boolean => letter === '' || /\s/u.test(letter)
const isPunctuation = (letter: string): boolean => /[\p{P}\p{S}]/u.test(letter)

const emphasis: Step = (state) => {
  const { text, at, open } = state
  const mark = text.charAt(at)
  let count = /^(.)\1*/.exec(restOf(state))?.[0].length ?? 1
  const from = at + count
  const before = text.charAt(at - 1)
  const after = text.charAt(from)
  // What ends with it is closed at the end; what begins with it has no text yet.
  if (after === '') return cut(state)
  while (count > 0 && !isSpace(before)) {
    const known = open.findLastIndex((each) => each.mark === mark)
    const opening = open[known]
    if (opening === undefined || (mark === '_' && /[\p{L}\p{N}]/u.test(after))) break
    open.splice(known + 1)
    const closing = Math.min(count, opening.count)
    count -= closing
    opening.count -= closing
    if (opening.count === 0) open.pop()
  }
  const begins =
    !isSpace(after) && (isSpace(before) || isPunctuation(before)) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before))
  if (count > 0 && begins && open.length < maxOpen && (mark !== '~' || count === 2))
    open.push({ mark, count, at: from - count, from, end: (left) => mark.repeat(left) })
  return skip(state, from - at)
}

const steps: Readonly<Record<string, Step | undefined>> = {
  '\\': backslash,
  '`': code,
  $: dollar,
  '!': picture,
  '[': bracket,
  '<': tag,
  '&': entity,
  h: address,
  '*': emphasis,
  _: emphasis,
  '~': emphasis,
}
