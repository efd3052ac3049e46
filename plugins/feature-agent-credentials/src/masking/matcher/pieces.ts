/** The fewest characters that a secret may have, and the most: others cannot be masked. */
export const minSecretLength = 6
export const maxSecretLength = 16_384

/** Lines of several, and texts inside JSON, are looked for by themselves from this length on. */
const minPieceLength = 16
const maxPieces = 400
const maxDepth = 5

/**
 * What is looked for of a value: the value; of several lines also each long one, and the text
 * between the lines `-----BEGIN …-----` and `-----END …-----`, which are no secret; of JSON also its
 * long strings; of an address also the password; of a text with `\n` also that with lines.
 */
export function piecesOf(value: string): readonly string[] {
  const pieces = new Set<string>()
  collect(value.trim(), pieces, 0)
  // Of lines around keys, where what is between them is too short to be a key.
  if (pieces.size === 0) pieces.add(value.trim())
  return [...pieces]
}

function collect(value: string, pieces: Set<string>, depth: number): void {
  if (value === '' || pieces.size >= maxPieces || depth > maxDepth) return
  const blocks = value.split(armour)
  const isArmoured = blocks.length > 1
  for (const block of blocks.map((text) => text.trim())) {
    if (isArmoured ? block.length >= minPieceLength : block !== '') pieces.add(block)
    if (!isArmoured && block.includes('\n'))
      for (const line of block.split('\n').map((text) => text.trim()))
        if (line.length >= minPieceLength && pieces.size < maxPieces) pieces.add(line)
  }
  const unescaped = value.includes('\\n') ? [value.replaceAll('\\n', '\n')] : []
  for (const text of [...unescaped, ...stringsIn(value), ...passwordsIn(value)]) collect(text.trim(), pieces, depth + 1)
}

/** The lines around keys (RFC 7468), also with literal `\n` beside them. */
const armour = /(?:\\n)?-----(?:BEGIN|END) [A-Z0-9 ]{1,60}-----(?:\\n)?/

function stringsIn(value: string): readonly string[] {
  if (!/^[[{"]/.test(value)) return []
  let json: unknown
  try {
    json = JSON.parse(value)
  } catch {
    // Not JSON, so that it has no strings.
    return []
  }
  const strings: string[] = []
  const walk = (one: unknown, depth: number): void => {
    if (typeof one === 'string') {
      if (one.length >= minPieceLength && !isPublic(one)) strings.push(one)
    } else if (typeof one === 'object' && one !== null && depth < maxDepth) for (const member of Object.values(one)) walk(member, depth + 1)
  }
  walk(json, 0)
  return strings.slice(0, maxPieces)
}

/** Addresses without a password, and mail addresses. */
const isPublic = (text: string): boolean =>
  (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^\S+@\S+$/.test(text)) && passwordsIn(text).length === 0

function passwordsIn(value: string): readonly string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#]*:([^\s/?#]*)@/i.exec(value)?.[1] ?? ''
  return password.length < minSecretLength ? [] : [password]
}
