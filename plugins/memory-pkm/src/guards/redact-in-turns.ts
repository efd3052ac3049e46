import { setImmediate } from 'node:timers/promises'

/** How much is masked at a time, in UTF-16 code units: a few milliseconds. */
const pieceLength = 8_000
/** What may belong to a secret that follows it is not cut off from it. */
const reach = 200
/** The length of a private key in letters. */
const keyLength = 6_000
const announcing =
  /pass|pwd|kennw|key|token|secret|credential|code|pin|cv[vc]|phrase|auth|bearer|clave|contrase|senha|parola|wachtwoord|schl|geheim|losung|-----begin|cookie/i

/**
 * Masks a long text piece by piece and lets others run in between. Pieces end between words, and not behind
 * a word that announces a secret.
 */
export async function redactInTurns(text: string, redact: (text: string) => string): Promise<string> {
  if (text.length <= pieceLength) return redact(text)
  let made = ''
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    made += redact(text.slice(start, end))
    start = end
    await setImmediate()
  }
  return made
}

/** However many words announce secrets, a piece is no longer than this: such a text is made to be slow. */
const maxPieceLength = 4 * pieceLength

function endOf(text: string, start: number): number {
  const spaces = /\s/g
  for (spaces.lastIndex = start + pieceLength; ; ) {
    const space = spaces.exec(text)
    if (space === null) return text.length
    if (space.index - start > maxPieceLength) return space.index
    const before = text.slice(Math.max(start, space.index - keyLength), space.index)
    const isInKey = before.lastIndexOf('-----BEGIN') > before.lastIndexOf('-----END')
    if (!isInKey && !announcing.test(before.slice(-reach))) return space.index
    spaces.lastIndex = space.index + 1
  }
}
