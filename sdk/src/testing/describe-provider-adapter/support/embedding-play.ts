/** For this text an upstream of the suite returns no vector. */
export const textWithoutVector = 'no vector for this text'
/** For this text it returns a vector that is longer than the others. */
export const textWithLongVector = 'the vector of this text is too long'

const length = 6

/**
 * The vectors of an upstream in the scenario `embed`: they depend only on the texts, so the suite
 * knows which vector belongs to which text. All numbers are exact as 32-bit floats.
 */
export function playEmbeddings(texts: readonly string[]): readonly (readonly number[])[] {
  return texts.filter((text) => text !== textWithoutVector).map(vectorOf)
}

function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: text === textWithLongVector ? length + 1 : length }, (_, index) => index - length / 2)
  for (const [place, character] of [...text].entries()) {
    const at = place % length
    vector[at] = (vector[at] ?? 0) + (((character.codePointAt(0) ?? 0) * (place + 1)) % 1_024) / 64
  }
  return vector
}
