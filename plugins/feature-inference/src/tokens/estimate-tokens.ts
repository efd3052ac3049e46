import { scriptWeight } from './script-weight.js'

/**
 * Estimates the tokens of a text, meant to be above the real count of any tokenizer, by the lengths
 * of words, digits and signs and by the scripts of the characters. About a quarter above the count
 * of `o200k_base` for English prose, more for rarer text. One pass over the text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code > 0x7e) {
      tokens += scriptWeight(code)
      at += 1
      continue
    }
    const end = code <= space ? endOfBlanks(text, at) : endOfWord(text, at)
    tokens += code <= space ? costOfBlanks(text, at, end) : costOfWord(text, at, end)
    at = end
  }
  return Math.ceil(tokens)
}

const space = 0x20
const small = 1
const capital = 2
const digit = 3
const sign = 4
type Kind = typeof small | typeof capital | typeof digit | typeof sign

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return small
  if (code >= 0x41 && code <= 0x5a) return capital
  return code >= 0x30 && code <= 0x39 ? digit : sign
}

function endOfBlanks(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) <= space) end += 1
  return end
}

/**
 * A single blank belongs to the next word, but not to digits. Longer runs are tokens of their own.
 */
function costOfBlanks(text: string, start: number, end: number): number {
  if (end - start === 1 && text[start] === ' ') return kindOf(text.charCodeAt(end)) === digit ? 1 : 0.05
  let changes = 1
  for (let at = start + 1; at < end; at += 1) if (text.charCodeAt(at) !== text.charCodeAt(at - 1)) changes += 1
  return 0.8 * changes + (end - start) / 16
}

function endOfWord(text: string, start: number): number {
  let end = start + 1
  for (let code = text.charCodeAt(end); code > space && code <= 0x7e; code = text.charCodeAt(end)) end += 1
  return end
}

/**
 * Everything between two blanks: words and signs, or mixed letters and digits such as a key, a hash
 * or base64 data.
 */
function costOfWord(text: string, start: number, end: number): number {
  let tokens = 0
  let at = start
  while (at < end) {
    const data = endOfData(text, at, end)
    if (data > at) {
      tokens += (data - at) * 0.78
      at = data
      continue
    }
    const from = at
    const kind = kindOf(text.charCodeAt(at))
    at += 1
    if (kind === digit) {
      while (at < end && kindOf(text.charCodeAt(at)) === digit) at += 1
      tokens += Math.ceil((at - from) / 3)
    } else if (kind === sign) {
      while (at < end && kindOf(text.charCodeAt(at)) === sign) at += 1
      tokens += costOfSigns(text, from, at)
    } else {
      // A capital after a small letter begins a new word.
      let last: Kind = kind
      for (; at < end; at += 1) {
        const next = kindOf(text.charCodeAt(at))
        if (next > capital || (next === capital && last === small)) break
        last = next
      }
      tokens += costOfLetters(text, from, at)
    }
  }
  return tokens
}

/** The minimum length of data. */
const minDataLength = 20
/** How far to look ahead at once, so that a text without blanks takes no longer than another. */
const maxLookAhead = 64

/** The end of a run of letters and digits that are not words, or `start` if there is none. */
function endOfData(text: string, start: number, limit: number): number {
  if (limit - start < minDataLength) return start
  let end = start
  let turns = 0
  let last: Kind = sign
  for (const far = Math.min(limit, start + maxLookAhead); end < far; end += 1) {
    const code = text.charCodeAt(end)
    const kind = kindOf(code)
    if (kind === sign && !isDataSign(code)) break
    if (kind !== last && end > start) turns += 1
    last = kind
  }
  return end - start >= minDataLength && turns > (end - start) * 0.33 ? end : start
}

/** `+`, `/`, `=`, `-`, `_`. */
const isDataSign = (code: number): boolean => code === 0x2b || code === 0x2f || code === 0x3d || code === 0x2d || code === 0x5f

function costOfSigns(text: string, start: number, end: number): number {
  let tokens = 1
  for (let at = start + 1; at < end; at += 1) tokens += text.charCodeAt(at) === text.charCodeAt(at - 1) ? 0.25 : 0.6
  return tokens
}

/** One for a common word; more for long ones (compounds, names) and for unpronounceable ones. */
function costOfLetters(text: string, start: number, end: number): number {
  const length = end - start
  let tokens = 1.08 + 0.13 * Math.max(0, Math.min(length, 16) - 4) + 0.5 * Math.max(0, length - 16)
  let consonants = 0
  for (let at = start; at < end; at += 1) {
    consonants = isVowel(text.charCodeAt(at)) ? 0 : consonants + 1
    if (consonants > 2) tokens += 0.4
  }
  return Math.min(tokens, length)
}

/** Bits of the letters a, e, i, o, u and y, counted from 1 in both cases. */
const vowels = [1, 5, 9, 15, 21, 25].reduce((bits, letter) => bits | (1 << letter), 0)

const isVowel = (letter: number): boolean => ((vowels >>> (letter & 0x1f)) & 1) === 1
