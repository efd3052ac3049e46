import type { Problem } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import { emailAddress } from '@agent-service/sdk/email-addresses'
import { isGuessableFromNames, type PasswordOwner } from '../passwords/guessable-names.js'
import { passwordContainsNameError, passwordTooCommonError } from '../records/errors.js'

/** The input for a new account. */
export interface AccountInput {
  readonly username: string
  readonly password: string
  readonly email?: string | null
  readonly name?: string | null
  readonly timezone?: string | null
  readonly language?: string | null
}

/** The same, checked and normalized for storage. */
export interface CheckedAccountInput {
  readonly username: string
  readonly password: string
  readonly email: string | null
  readonly name: string | null
  readonly timezone: string | null
  readonly language: string | null
}

const usernamePattern = /^[a-z][a-z0-9_-]*$/
const minPasswordBytes = 8
const maxPasswordBytes = 1024
const maxNameLength = 200

/** Normalizes a username for comparison: trimmed, lower case. */
export const normalUsername = (text: string): string => text.trim().toLowerCase()

/** The one form of an e-mail address; what is none stays, in lower case. */
const normalEmail = (text: string): string => emailAddress(text) ?? text.trim().toLowerCase()

/**
 * What a person signs in with, for comparison: with an “@” it is an e-mail address. All spellings of
 * one name or address are the same.
 */
export const normalLogin = (text: string): string => (text.includes('@') ? normalEmail(text) : normalUsername(text))

/** A change of a profile: absent members stay, null clears. */
export interface ProfileChange {
  readonly email?: string | null
  readonly name?: string | null
  readonly timezone?: string | null
  readonly language?: string | null
}

/**
 * Checks everything that depends on the input alone.
 * @throws `invalid_request` with every problem at once, `password_too_common` or
 * `password_contains_name`.
 */
export function checkAccountInput(input: AccountInput, commonPasswords: ReadonlySet<string>): CheckedAccountInput {
  const checked: CheckedAccountInput = {
    username: normalUsername(input.username),
    password: input.password,
    ...profileOf(input),
  }
  refuse([
    ...problemAt('/username', usernameProblem(checked.username)),
    ...problemAt('/password', passwordProblem(checked.password)),
    ...profileProblems(checked),
  ])
  refuseGuessable(checked.password, commonPasswords, checked)
  return checked
}

/** Returns a username in its normal form. @throws `invalid_request`. */
export function checkUsername(text: string): string {
  const username = normalUsername(text)
  refuse(problemAt('/username', usernameProblem(username)))
  return username
}

/** Returns the given members in their normal form. @throws `invalid_request`. */
export function checkProfileChange(change: ProfileChange): ProfileChange {
  const given = Object.fromEntries(Object.entries(profileOf(change)).filter(([name]) => Object.hasOwn(change, name)))
  refuse(profileProblems(given))
  return given
}

/** @throws `invalid_request` at the path, `password_too_common` or `password_contains_name`. */
export function checkNewPassword(password: string, commonPasswords: ReadonlySet<string>, owner: PasswordOwner, path: string): void {
  refuse(problemAt(path, passwordProblem(password)))
  refuseGuessable(password, commonPasswords, owner)
}

const profileOf = ({
  email,
  name,
  timezone,
  language,
}: ProfileChange): Pick<CheckedAccountInput, 'email' | 'name' | 'timezone' | 'language'> => ({
  email: optionalText(email, normalEmail),
  name: optionalText(name, (text) => text.trim()),
  timezone: optionalText(timezone, (text) => text.trim()),
  language: optionalText(language, (text) => languageTag(text.trim()) ?? text.trim()),
})

const profileProblems = ({ email, name, timezone, language }: ProfileChange): readonly Problem[] => [
  ...problemAt('/email', typeof email === 'string' ? emailProblem(email) : undefined),
  ...problemAt('/name', typeof name === 'string' ? nameProblem(name) : undefined),
  ...problemAt('/timezone', typeof timezone === 'string' ? timezoneProblem(timezone) : undefined),
  ...problemAt('/language', typeof language === 'string' ? languageProblem(language) : undefined),
]

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
}

function refuseGuessable(password: string, commonPasswords: ReadonlySet<string>, owner: PasswordOwner): void {
  if (commonPasswords.has(password.toLowerCase())) throw passwordTooCommonError.create({})
  if (isGuessableFromNames(password, owner)) throw passwordContainsNameError.create({})
}

function optionalText(text: string | null | undefined, normal: (text: string) => string): string | null {
  const value = text === null || text === undefined ? '' : normal(text)
  return value === '' ? null : value
}

const problemAt = (path: string, message: string | undefined): readonly Problem[] => (message === undefined ? [] : [{ path, message }])

/** False for a lone surrogate, which UTF-8 cannot encode. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

function usernameProblem(username: string): string | undefined {
  if (username.length < 2 || username.length > 32) return `must have 2 to 32 characters, has ${username.length}`
  if (!usernamePattern.test(username)) return 'must begin with a letter a–z and hold only letters a–z, digits, “_” and “-”'
  return undefined
}

function passwordProblem(password: string): string | undefined {
  if (!isWellFormed(password)) return 'must be well-formed Unicode'
  const bytes = Buffer.byteLength(password, 'utf8')
  if (bytes < minPasswordBytes || bytes > maxPasswordBytes) {
    return `must have ${minPasswordBytes} to ${maxPasswordBytes} bytes in UTF-8, has ${bytes}`
  }
  return undefined
}

function emailProblem(email: string): string | undefined {
  if (emailAddress(email) === email) return undefined
  return 'must be an e-mail address: name@domain.example, without quotes, brackets, commas, “%”, “!”, “|” and a “-” at the beginning, at most 64 bytes before the “@” and 254 in all'
}

function nameProblem(name: string): string | undefined {
  if (name.length > maxNameLength) return `must have at most ${maxNameLength} characters, has ${name.length}`
  if (!isWellFormed(name) || /\p{Cc}/u.test(name)) return 'must be well-formed Unicode without control characters'
  return undefined
}

function timezoneProblem(timezone: string): string | undefined {
  return isTimeZone(timezone) ? undefined : 'must be an IANA time zone: Europe/Berlin'
}

const languageProblem = (language: string): string | undefined =>
  languageTag(language) === undefined ? 'must be a language tag: de, pt-BR' : undefined

/** The one form of a language with its region or script at most, such as `pt-BR`; `undefined` for any other text. */
function languageTag(text: string): string | undefined {
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/.test(text) ? canonicalTag(text) : undefined
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isTimeZone(timezone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(timezone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
