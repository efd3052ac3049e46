/**
 * Tokens per code unit outside ASCII, by its script, for vocabularies of 100,000 tokens, which need
 * more than those of 200,000. Each half of a surrogate pair counts.
 */
export function scriptWeight(code: number): number {
  table ??= fillTable()
  return (table[code] ?? 0) / steps
}

/** Weights are stored in tenths. */
const steps = 10
/** By code unit; filled on first use. */
let table: Uint8Array | undefined

function fillTable(): Uint8Array {
  const weights = new Uint8Array(0x1_0000).fill(unknown * steps)
  let first = 0
  for (const [last, tokens] of scripts) {
    weights.fill(Math.round(tokens * steps), first, last + 1)
    first = last + 1
  }
  return weights
}

/** For scripts that vocabularies hardly cover: every UTF-8 byte may be a token. */
const unknown = 3

/** Last code unit of a range, with its tokens. */
const scripts: readonly (readonly [last: number, tokens: number])[] = [
  // Controls.
  [0x9f, 2],
  // Latin with marks.
  [0x24f, 1.1],
  // Phonetic signs, and marks that stand alone.
  [0x36f, 1.6],
  // Greek.
  [0x3ff, 1],
  // Cyrillic.
  [0x52f, 0.6],
  // Armenian.
  [0x58f, 1.6],
  // Hebrew, Arabic.
  [0x6ff, 1.2],
  [0x8ff, 2.2],
  // Scripts of India.
  [0xdff, 1.5],
  // Thai.
  [0xe7f, 1.2],
  // Lao, Tibetan, Burmese, Georgian.
  [0x10ff, 2.2],
  // Hangul in its parts, Ethiopic, and what is rarer.
  [0x1dff, unknown],
  // Latin with marks, as Vietnamese has it.
  [0x1eff, 1.4],
  [0x1fff, 2.2],
  // Dashes, quotation marks, joiners.
  [0x206f, 1.3],
  // Signs of money, letters as signs, arrows, mathematics.
  [0x24ff, 2],
  // Frames, shapes, dingbats.
  [0x27bf, 1.7],
  [0x2fff, unknown],
  // Marks of Chinese and Japanese, kana.
  [0x30ff, 1.2],
  [0x33ff, 2.5],
  [0x4dbf, unknown],
  // Han.
  [0x9fff, 1.4],
  [0xabff, unknown],
  // Hangul.
  [0xd7a3, 1.4],
  [0xd7ff, unknown],
  // Halves of emoji and of rare characters: four bytes together.
  [0xdfff, 1.6],
  [0xfdff, unknown],
  [0xfe0f, 1.2],
  [0xfeff, unknown],
  // Full-width signs.
  [0xffef, 1.4],
]
