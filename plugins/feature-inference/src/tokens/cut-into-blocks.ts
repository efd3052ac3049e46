const blockLength = 131_072
/** How far back a place to cut is looked for. */
const lookBack = 4_096

/**
 * Cuts a text into blocks of 131,072 characters at most, where a token ends in any case: between two words of plain letters with one blank between them.
 * Where there is no such place, as in 4,096 characters without one, it is cut between two characters; that may make a token or two more.
 */
export function* cutIntoBlocks(text: string): Generator<string, void, undefined> {
  let start = 0
  while (text.length - start > blockLength) {
    const end = placeToCut(text, start + blockLength)
    yield text.slice(start, end)
    start = end
  }
  yield start === 0 ? text : text.slice(start)
}

function placeToCut(text: string, latest: number): number {
  for (let at = latest; at > latest - lookBack; at -= 1)
    if (text[at] === ' ' && isPlainLetter(text.charCodeAt(at - 1)) && isPlainLetter(text.charCodeAt(at + 1))) return at
  // Never between the halves of a character.
  const last = text.charCodeAt(latest - 1)
  return last >= 0xd800 && last < 0xdc00 ? latest - 1 : latest
}

const isPlainLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
