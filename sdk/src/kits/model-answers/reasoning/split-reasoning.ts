import { createLineState } from '../common/line-state.js'
import { anyClosing, findFirst, openEnd, readTextBegin } from './reasoning-tags.js'

/** A piece of a text that is known now. */
export interface SplitPiece {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  /** The reasoning so far was the answer: this text replaces it. */
  readonly withdraws?: true
}

/** Takes reasoning out of a text in which a model wrote it between tags. */
export interface ReasoningSplitter {
  /** What is known now of a further piece, cut anywhere. */
  add(piece: string): readonly SplitPiece[]
  /**
   * Something else of the answer, such as a call, comes between: reasoning may begin anew, and what
   * only counted as reasoning for now was text.
   */
  resume(): readonly SplitPiece[]
  /** Nothing but blanks has come since a tag. */
  readonly afterTag: boolean
  /** The rest. `cut`: the text ran into its limit. */
  end(cut: boolean): readonly SplitPiece[]
}

export interface SplitOptions {
  /** The model is known to do so: its prompt may end with the opening tag, so that only the closing one comes. */
  readonly expected: boolean
  /** The answer is to be JSON: a text that begins like it is not reasoning. */
  readonly json?: boolean
}

/** The blanks that may follow a tag in its line. */
const maxTrailing = 200

/** `assumed`: reasoning, if a closing tag comes or the text runs into its limit; else text. */
type State = 'start' | 'reasoning' | 'assumed' | 'text'

/**
 * Splits off reasoning at the beginning of a text and after other parts of the answer. Once there
 * was one block, and for models that are known for it, a tag alone on its line begins another one,
 * unless it stands in code or after a colon; every other tag inside is text: a model may write about
 * them. Blanks around tags are dropped. Reasoning without a closing tag extends to the end.
 */
export function createReasoningSplitter({ expected, json = false }: SplitOptions): ReasoningSplitter {
  let state: State = 'start'
  let mayAssume = expected
  let mayReturn = expected
  let held = ''
  /** Before what is held at the start of a text. */
  let blanks = ''
  let assumed = ''
  let closings: readonly string[] = anyClosing
  let frameEnds: readonly string[] | undefined
  /** Blanks are dropped until something else comes. */
  let afterTag = false
  let lastKind: SplitPiece['kind'] | undefined
  /** Another block follows the one before at once. */
  let separate = false
  let lines = createLineState()
  let pieces: SplitPiece[] = []

  const emit = (kind: SplitPiece['kind'], piece: string): void => {
    const text = afterTag ? piece.trimStart() : piece
    if (text === '') return
    afterTag = false
    pieces.push({ kind, text: separate && kind === 'reasoning' ? `\n\n${text}` : text })
    separate = false
    lastKind = kind
    if (kind === 'text') lines.add(text)
  }
  const take = (length = held.length): string => {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }
  const enter = (next: State): true => {
    state = next
    return true
  }
  const beginReasoning = (tag: { readonly length: number; readonly closings: readonly string[] }): true => {
    separate = lastKind === 'reasoning'
    blanks = ''
    take(tag.length)
    closings = tag.closings
    mayAssume = false
    afterTag = true
    return enter('reasoning')
  }
  const afterReasoning = (): true => {
    mayReturn = true
    mayAssume = false
    afterTag = true
    return enter('start')
  }

  /** Each reads as much of `held` as is decided; true: another state goes on with the rest. */
  const steps: Readonly<Record<State, () => boolean>> = {
    start() {
      const begin = held.trimStart()
      // Kept apart, so that no blank is looked at twice.
      blanks += take(held.length - begin.length)
      if (begin === '') return false
      const read = readTextBegin(begin)
      if (read.kind === 'more') return false
      if (read.kind === 'reasoning') return beginReasoning(read)
      if (read.kind === 'closing' || read.kind === 'frame') {
        blanks = ''
        take(read.length)
        if (read.kind === 'closing') return afterReasoning()
        frameEnds = read.ends
        afterTag = true
        return enter('text')
      }
      const isAnswer = !mayAssume || (json && /^[{[]/.test(begin))
      if (isAnswer) held = blanks + held
      blanks = ''
      if (isAnswer) return enter('text')
      closings = anyClosing
      afterTag = true
      return enter('assumed')
    },
    reasoning() {
      const close = findFirst(held, closings)
      if (!close) {
        emit('reasoning', take(held.length - openEnd(held, closings)))
        return false
      }
      emit('reasoning', take(close.at))
      // The beginning of the next message is read with what follows it.
      if (!/^<\|start/i.test(held)) take(close.length)
      return afterReasoning()
    },
    assumed() {
      const close = findFirst(held, closings)
      const piece = take(close ? close.at : held.length - openEnd(held, closings))
      assumed += piece
      emit('reasoning', piece)
      if (!close) return false
      take(close.length)
      return afterReasoning()
    },
    text() {
      const end = frameEnds && findFirst(held, frameEnds)
      if (end) {
        emit('text', take(end.at))
        take(end.length)
        frameEnds = undefined
        return afterReasoning()
      }
      if (frameEnds) emit('text', take(held.length - openEnd(held, frameEnds)))
      else if (!mayReturn) emit('text', take())
      else return readLines()
      return false
    },
  }
  /** Text in which a line may be a tag. */
  const readLines = (): boolean => {
    while (held !== '') {
      if (lines.atStart && !afterTag && !lines.inCode && !lines.introduces) {
        const read = readTextBegin(held)
        if (read.kind === 'more') return false
        if (read.kind === 'reasoning') {
          const rest = held.slice(read.length)
          if (rest === '') return false
          if (/^[ \t\r]*\n/.test(rest)) return beginReasoning(read)
          if (rest.length < maxTrailing && /^[ \t\r]+$/.test(rest)) return false
        }
      }
      const line = held.indexOf('\n')
      emit('text', take(line < 0 ? held.length : line + 1))
    }
    return false
  }
  const withdraw = (): void => {
    pieces.push({ kind: 'text', text: (assumed + take()).trimStart(), withdraws: true })
    assumed = ''
  }
  const finished = (): readonly SplitPiece[] => {
    const all = pieces
    pieces = []
    return all
  }

  return {
    get afterTag() {
      return afterTag
    },
    add(piece) {
      held += piece
      while (steps[state]());
      return finished()
    },
    resume() {
      mayAssume = false
      lastKind = undefined
      if (state === 'assumed') withdraw()
      else if (state !== 'text') return []
      frameEnds = undefined
      lines = createLineState()
      state = 'start'
      return finished()
    },
    end(cut) {
      if (state === 'assumed' && !cut) withdraw()
      else if (state === 'reasoning' || state === 'assumed') emit('reasoning', take())
      else emit('text', blanks + take())
      return finished()
    },
  }
}
