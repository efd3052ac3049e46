import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { AuditRecord } from '../audit/audit-records.js'
import type { ErasedName } from '../records/records.js'

/** A deleted account: its id, which replaces its names, and the names. */
export interface NamelessAccount {
  readonly id: string
  readonly names: readonly ErasedName[]
}

/** Makes the function that takes the names of an account out of an entry; the same entry if it has none. */
export function createNameRemover({ id, names }: NamelessAccount): (entry: AuditRecord) => AuditRecord {
  const needles = [...new Set(names.map(({ text }) => inJson(text)))]
  const all = replacer(names, id)
  return (entry) => {
    const json = JSON.stringify(entry)
    const lower = json.toLowerCase()
    if (!needles.some((needle) => lower.includes(needle))) return entry
    // In entries of the account and about it every word that is a name is taken for one.
    const without = json.includes(`"${id}"`)
      ? changed(entry, (text, member) => (fixedMembers.has(member) ? text : all(text)))
      : withoutNamesOfOther(entry, { id, names })
    return JSON.stringify(without) === json ? entry : without
  }
}

/** Members whose values the service or a plugin chose, so that no person is meant: a role can be called as an account. */
const fixedMembers: ReadonlySet<string> = new Set([
  ...['role', 'from_role', 'to_role', 'roles', 'plugin', 'method', 'issuer', 'effect'],
  ...['kind', 'type', 'via', 'reason', 'password', 'status', 'state'],
])

/** Members that hold names of persons, with everything in them. */
const personMember =
  /(^|_)(user|username|login|account|handle|owner|author|person|people|member|recipient|sender|email|mail)s?(_names?|_handles?)?$|_by$/
/** Kinds whose subject is an account. */
const accountKinds = /^(account|username|email|password|sign_in|identity|session)\./

/**
 * Entries of and about others: the same word may mean something else, or another person. So only what
 * was that account's alone at that time is replaced: its address, the path of its folder, and its
 * username where the entry names persons.
 */
function withoutNamesOfOther(entry: AuditRecord, { id, names }: NamelessAccount): AuditRecord {
  const then = names.filter(({ from, to }) => (from === null || from <= entry.at) && (to === null || entry.at <= to))
  const usernames = then.filter(({ kind }) => kind === 'username')
  const addresses = addressReplacer(
    then.filter(({ kind }) => kind === 'email'),
    id,
  )
  const persons = personReplacer(usernames, id)
  const folders = folderReplacer(usernames, id)
  return changed(entry, (text, member, isOfPerson) => {
    if (fixedMembers.has(member)) return text
    const without = folders(addresses(text))
    return isOfPerson || (member === 'subject_id' && accountKinds.test(entry.kind)) ? persons(without) : without
  })
}

type Change = (text: string, member: string, isOfPerson: boolean) => string

function changed(entry: AuditRecord, change: Change): AuditRecord {
  const { subject_id: subject, operation, details, before, after } = entry
  const stateOf = (state: JsonObject): JsonObject => changedValue(state, change, { member: '', isOfPerson: false }) as JsonObject
  return {
    ...entry,
    subject_id: subject === null ? null : change(subject, 'subject_id', false),
    ...(operation == null ? {} : { operation: change(operation, 'operation', false) }),
    details: stateOf(details),
    ...(before ? { before: stateOf(before) } : {}),
    ...(after ? { after: stateOf(after) } : {}),
  }
}

function changedValue(value: JsonValue, change: Change, place: { readonly member: string; readonly isOfPerson: boolean }): JsonValue {
  if (typeof value === 'string') return change(value, place.member, place.isOfPerson)
  if (Array.isArray(value)) return value.map((item: JsonValue) => changedValue(item, change, place))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([member, each]): [string, JsonValue] => {
    const isOfPerson = place.isOfPerson || personMember.test(member.toLowerCase())
    // In a list of persons the names of members are theirs; others are the program's.
    const name = place.isOfPerson || member.includes('@') ? change(member, place.member, place.isOfPerson) : member
    return [name, changedValue(each, change, { member, isOfPerson })]
  })
  return Object.fromEntries(members)
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1).toLowerCase()
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
/** What a name can go on with: `ada` is no part of `ada-2` or `Adams`. */
const inWord = '[\\p{L}\\p{N}_-]'
/** What an address or a host can go on with: `ada` is no part of `ada@example.com`, which may be another person's, or of `bob@ada.example`. */
const inAddress = "[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~@-]"
const wordBefore = `(?<!${inWord}|[@.+])`
const wordAfter = `(?!${inWord}|[\\p{L}\\p{N}.+_-]*@)`

/** Replaces names and addresses that stand as whole words. A single letter is only replaced where it is all there is. */
function replacer(names: readonly ErasedName[], id: string): (text: string) => string {
  const addresses = addressReplacer(
    names.filter(({ kind }) => kind === 'email'),
    id,
  )
  const words = wordReplacer(
    names.filter(({ kind }) => kind !== 'email'),
    id,
  )
  return (text) => words(addresses(text))
}

/** Replaces addresses that are no part of longer ones. */
function addressReplacer(names: readonly ErasedName[], id: string): (text: string) => string {
  const texts = [...new Set(names.map(({ text }) => text.trim()))].filter((text) => text !== '')
  if (texts.length === 0) return (text) => text
  const after = `(?!${inWord}|@|\\.[\\p{L}\\p{N}])`
  const pattern = new RegExp(`(?<!${inAddress})(?:${texts.map(escaped).join('|')})${after}`, 'giu')
  return (text) => text.replace(pattern, id)
}

/** Replaces usernames in a list of persons, where each is all there is between spaces and commas. */
function personReplacer(names: readonly ErasedName[], id: string): (text: string) => string {
  const usernames = new Set(names.map(({ text }) => text.toLowerCase()))
  return (text) => text.replace(/[^\s,;]+/g, (word) => (usernames.has(word.toLowerCase()) ? id : word))
}

function wordReplacer(names: readonly ErasedName[], id: string): (text: string) => string {
  const texts = [...new Set(names.map(({ text }) => text.trim()))].filter((text) => text !== '')
  const words = texts.filter((text) => text.length > 1).sort((a, b) => b.length - a.length)
  const letters = new Set(texts.filter((text) => text.length === 1).map((text) => text.toLowerCase()))
  const pattern = words.length === 0 ? undefined : new RegExp(`${wordBefore}(?:${words.map(escaped).join('|')})${wordAfter}`, 'giu')
  return (text) => {
    if (letters.has(text.trim().toLowerCase())) return id
    return pattern ? text.replace(pattern, id) : text
  }
}

/** Replaces the name of the folder of an account's files: `users/ada/…`. */
function folderReplacer(usernames: readonly ErasedName[], id: string): (text: string) => string {
  const words = usernames.map(({ text }) => escaped(text))
  if (words.length === 0) return (text) => text
  const pattern = new RegExp(`((?<!${inWord})users[/\\\\])(?:${words.join('|')})(?!${inWord})`, 'giu')
  return (text) => text.replace(pattern, `$1${id}`)
}
