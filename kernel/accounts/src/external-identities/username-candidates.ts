import { randomBytes } from 'node:crypto'

const maxLength = 32
const maxNumber = 20

/** What a name may be derived from; the first usable part counts. */
export interface NameSources {
  readonly preferredUsername?: string
  readonly email: string | null
  readonly name: string | null
}

/**
 * Usernames for a new account, the best first: from the name at the provider, else the e-mail
 * address, else the person's name, each converted to a valid username. The last one is random, for
 * the case that the plain and the numbered ones are taken.
 */
export function* usernameCandidates({ preferredUsername, email, name }: NameSources): Generator<string> {
  const base = [preferredUsername?.replace(/(?!^)@.*$/s, ''), email?.replace(/@.*$/s, ''), name]
    .map((text) => usernameFrom(text ?? ''))
    .find((text) => text.length >= 2)
  const stem = base ?? 'user'
  yield stem
  for (let number = 2; number <= maxNumber; number++) yield withEnding(stem, String(number))
  yield withEnding(stem, randomBytes(6).toString('hex'))
}

/**
 * A letter, then letters, digits, `_` and `-`: accents are removed, other invalid characters become
 * one `-`.
 */
function usernameFrom(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxLength)
    .replace(/-+$/, '')
}

const withEnding = (stem: string, ending: string): string => `${stem.slice(0, maxLength - ending.length - 1)}-${ending}`
