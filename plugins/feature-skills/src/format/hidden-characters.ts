/** Characters that a screen does not show, or that turn the direction of text. The joiners and marks that scripts need are none. */
const hidden = /[\u180e\u200b\u202a-\u202e\u2060-\u2069\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu
/** Flags of regions, and variants of Chinese characters, which are written with some of them. */
const needed = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}|\p{Script=Han}[\u{e0100}-\u{e01ef}]/gu
const maxNamed = 5

/** Names what a person does not see in a text, such as “U+200B, U+202E”, and a model reads; `undefined` if there is nothing. */
export function hiddenCharactersOf(text: string): string | undefined {
  const found = new Set(text.replace(needed, '').match(hidden))
  if (found.size === 0) return undefined
  const named = [...found]
    .slice(0, maxNamed)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
  return `${named.join(', ')}${found.size > maxNamed ? ' and more' : ''}`
}
