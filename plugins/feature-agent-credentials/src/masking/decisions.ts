import type { Matcher } from './matcher/compile-matcher.js'
import { scanText } from './matcher/scan-text.js'

/** How much of a text is looked at again after it was decided: the first few characters of a secret do not wait. */
const overlap = 256

/** From so many waiting characters on they are looked at again only when as many have come. */
const longWait = 16_384

/** What a mask of secrets writes in their place. */
export const placeholderOf = (credential: string): string => `[credential ${credential}]`

/** What is shown of a part of a text: itself, a placeholder, or nothing if it belongs to what the placeholder before stands for. */
export interface Decision {
  /** Offsets in the whole text, in UTF-16 code units. A decision begins where the one before ends. */
  readonly start: number
  readonly end: number
  readonly isSecret: boolean
  readonly shown: string
}

/** Decides what is shown of a text that comes in pieces. What may be the beginning of a secret waits. */
export function createDecisions(current: () => Matcher) {
  let text = ''
  /** The offset of `text` in the whole text. */
  let offset = 0
  /** Up to where `text` is decided. */
  let decided = 0
  /** Up to where it was looked at. What waits is looked at from its beginning each time. */
  let looked = 0
  /** The credential of the decision before, if it was a secret. */
  let before: string | undefined

  const decide = (final: boolean): readonly Decision[] => {
    const matcher = current()
    const { spans, pendingFrom } = scanText(text, matcher, final)
    const pending = pendingFrom ?? text.length
    const decisions: Decision[] = []
    const add = (end: number, credential: string | undefined, shown: string): void => {
      decisions.push({ start: offset + decided, end: offset + end, isSecret: credential !== undefined, shown })
      decided = end
      before = credential
    }
    for (const { start, end, credential } of spans) {
      if (end <= decided) continue
      // It may become part of a longer one.
      if (start >= pending) break
      if (start > decided) add(start, undefined, text.slice(decided, start))
      const name = matcher.credentials[credential] ?? ''
      const isContinued = before !== undefined && (start < decided || before === name)
      add(end, name, isContinued ? '' : placeholderOf(name))
    }
    if (decided < pending) add(pending, undefined, text.slice(decided, pending))
    const cut = Math.max(0, Math.min(decided, pending) - overlap)
    text = text.slice(cut)
    offset += cut
    decided -= cut
    looked = text.length
    return decisions
  }

  return {
    take(more: string): readonly Decision[] {
      text += more
      const waiting = looked - decided
      return waiting > longWait && text.length - looked < waiting ? [] : decide(false)
    },
    /** What still waits. */
    end: (): readonly Decision[] => decide(true),
  }
}
