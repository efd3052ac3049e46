import { countMerged, type TokenRanks } from './merge-bytes.js'

/** The published data of an encoding. */
export interface EncodingData {
  /** A regular expression that splits a text into pieces; no token spans two of them. */
  readonly pat_str: string
  /**
   * Lines of `! rank token token …`: tokens in base64, with consecutive ranks from the given one.
   */
  readonly bpe_ranks: string
}

/** Counts tokens of texts. */
export interface Tokenizer {
  /** Treats special tokens as plain text. Takes time proportional to the length for any text. */
  count(text: string): number
}

/** How many counts of pieces are remembered. */
const maxRememberedPieces = 20_000
/** Longer pieces rarely occur again. */
const maxRememberedLength = 48

/** Creating one takes about 100 ms and 20 MB for one of 200,000 tokens. */
export function createTokenizer({ pat_str: pattern, bpe_ranks: lines }: EncodingData): Tokenizer {
  const known = readRanks(lines)
  // Capturing groups cost time for each piece and are not used.
  const pieces = new RegExp(pattern.replaceAll(/(?<!\\)\((?!\?)/g, '(?:'), 'gu')
  let remembered = new Map<string, number>()

  const countPiece = (piece: string): number => {
    const bytes = isPlain(piece) ? piece : Buffer.from(piece, 'utf8').toString('latin1')
    if (known.ranks.has(bytes)) return 1
    if (bytes.length > maxRememberedLength) return countMerged(bytes, known)
    const before = remembered.get(bytes)
    if (before !== undefined) return before
    if (remembered.size >= maxRememberedPieces) remembered = new Map()
    const counted = countMerged(bytes, known)
    remembered.set(bytes, counted)
    return counted
  }

  return {
    count(text) {
      let tokens = 0
      for (const [piece] of text.matchAll(pieces)) tokens += countPiece(piece)
      return tokens
    },
  }
}

/** Whether all characters are ASCII. */
function isPlain(piece: string): boolean {
  for (let at = 0; at < piece.length; at += 1) if (piece.charCodeAt(at) > 0x7f) return false
  return true
}

function readRanks(lines: string): TokenRanks {
  const ranks = new Map<string, number>()
  let maxLength = 0
  for (const line of lines.split('\n')) {
    const [, first, ...tokens] = line.split(' ')
    for (const [index, token] of tokens.entries()) {
      const bytes = Buffer.from(token, 'base64').toString('latin1')
      ranks.set(bytes, Number(first) + index)
      maxLength = Math.max(maxLength, bytes.length)
    }
  }
  return { ranks, maxLength }
}
