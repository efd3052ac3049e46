const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Elements, comments and declarations; bounded, so that a text full of `<` costs nothing. */
const markup = /<(?:\/?[a-z][^<>]{0,500}|!--[^<>]{0,500}--|![a-z][^<>]{0,100})>/gi

/** Characters that no reader sees, or that turn what follows around; models would read them. Joiners stay: scripts need them. */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

/** Control characters, line ends among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * One line of plain text: without markup, character references, control characters and characters that
 * are not seen, and of at most `maxLength` characters.
 */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(markup, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => characterOf(name) ?? whole)
    .replace(controls, ' ')
    .replace(invisible, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const isHexadecimal = name[1] === 'x' || name[1] === 'X'
  const code = Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10)
  return Number.isNaN(code) || code > 0x10ffff ? undefined : String.fromCodePoint(code)
}
