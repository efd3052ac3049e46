import { randomBytes } from 'node:crypto'

const longest = 32
const numbered = 20

/** What a name may be made from; the first part that gives one counts. */
export interface NameSources {
  readonly preferredUsername?: string
  readonly email: string | null
  readonly name: string | null
}

/**
 * Usernames for a new account, the best first: from the name at the provider, else the e-mail address, else the person's name, each brought into the
 * form of usernames. When the plain one and the numbered ones are taken, a random one ends the list.
 */
export function* usernameCandidates({ preferredUsername, email, name }: NameSources): Generator<string> {
  const base = [preferredUsername?.replace(/(?!^)@.*$/s, ''), email?.replace(/@.*$/s, ''), name]
    .map((text) => usernameFrom(text ?? ''))
    .find((text) => text.length >= 2)
  const stem = base ?? 'user'
  yield stem
  for (let number = 2; number <= numbered; number++) yield withEnding(stem, String(number))
  yield withEnding(stem, randomBytes(6).toString('hex'))
}

/** A letter first, then letters, digits, `_` and `-`: accents fall away, whatever else does not fit becomes one `-`. */
function usernameFrom(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
}

const withEnding = (stem: string, ending: string): string => `${stem.slice(0, longest - ending.length - 1)}-${ending}`
