const maxBlockLength = 131_072
/** How far back to search for a position to split at. */
const maxLookBack = 4_096

/**
 * Splits a text into blocks of at most 131,072 characters where a token always ends: between two
 * words of plain letters with one blank between them. If the last 4,096 characters of a block have
 * no such position, it splits between two characters, which may add a token or two.
 */
export function* splitIntoBlocks(text: string): Generator<string, void, undefined> {
  let start = 0
  while (text.length - start > maxBlockLength) {
    const end = splitPosition(text, start + maxBlockLength)
    yield text.slice(start, end)
    start = end
  }
  yield start === 0 ? text : text.slice(start)
}

function splitPosition(text: string, latest: number): number {
  for (let at = latest; at > latest - maxLookBack; at -= 1)
    if (text[at] === ' ' && isPlainLetter(text.charCodeAt(at - 1)) && isPlainLetter(text.charCodeAt(at + 1))) return at
  // Never between the halves of a surrogate pair.
  const last = text.charCodeAt(latest - 1)
  return last >= 0xd800 && last < 0xdc00 ? latest - 1 : latest
}

const isPlainLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
