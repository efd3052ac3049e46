import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Secrets by a name that says what they are. */
export type Secrets = ReadonlyMap<string, string>

/** A secret that was found where it should not be. */
export interface Finding {
  readonly secret: string
  readonly spelling: string
  readonly where: string
}

/**
 * The ways in which somebody may come upon a secret and use it: as it is, escaped, or encoded at
 * any place of a longer text.
 */
export function spellingsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret, 'utf8')
  const escaped = JSON.stringify(secret).slice(1, -1)
  const spellings = new Map<string, string>([
    ['plain', secret],
    ['escaped in JSON', escaped],
    ['escaped twice', JSON.stringify(escaped).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['in hexadecimal', bytes.toString('hex')],
    ['in upper-case hexadecimal', bytes.toString('hex').toUpperCase()],
    ['in UTF-16', Buffer.from(secret, 'utf16le').toString('latin1')],
  ])
  // What three bytes have in common with their neighbours is cut off, so that the rest is found
  // whatever stands before and after.
  for (const offset of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    const whole = padded.length - (padded.length % 3)
    const core = padded.subarray(offset === 0 ? 0 : 3, whole)
    spellings.set(`in base64 at ${offset}`, core.toString('base64'))
    spellings.set(`in base64url at ${offset}`, core.toString('base64url'))
  }
  return spellings
}

/** Makes the search for these secrets. */
export function createSecretSearch(secrets: Secrets): {
  inText(where: string, text: string | Uint8Array): readonly Finding[]
  /** In every file below a folder, in its name too; `except` says which are left out. */
  inFolder(folder: string, except?: (file: string) => boolean): Promise<readonly Finding[]>
} {
  const wanted = [...secrets].flatMap(([name, secret]) => {
    if (secret.length < 12) throw new Error(`The secret ${name} is too short to be looked for.`)
    const different = new Map([...spellingsOf(secret)].reverse().map(([spelling, text]) => [text, spelling]))
    return [...different].map(([text, spelling]) => ({
      ...{ name, spelling },
      // UTF-16 stands there as bytes already.
      bytes: Buffer.from(text, spelling === 'in UTF-16' ? 'latin1' : 'utf8'),
    }))
  })
  const inText = (where: string, text: string | Uint8Array): readonly Finding[] => {
    const bytes = Buffer.from(text)
    return wanted.flatMap(({ name, spelling, bytes: needle }) => (bytes.includes(needle) ? [{ secret: name, spelling, where }] : []))
  }
  return {
    inText,
    async inFolder(folder, except = () => false) {
      const findings: Finding[] = []
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name)
        findings.push(...inText(`the name of ${file}`, entry.name))
        if (entry.isFile() && !except(file)) findings.push(...inText(file, await readFile(file)))
      }
      return findings
    },
  }
}
