import { isIP } from 'node:net'
import { configurationFormats, type JsonObject, type JsonValue, type Problem, type TSchema, validate } from '@agent-service/sdk'
import { suggestion } from '@agent-service/sdk/host'
import { Check } from 'typebox/schema'
import { isAppOrigin } from '../../http/request/app-origin.js'
import type { ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import {
  choicesOf,
  declaredMember,
  extensionMember,
  isObject,
  memberNames,
  own,
  type SchemaNode,
  takesAnything,
  variantOf,
} from '../schema/schema-node.js'
import { isTimeZone } from './time-zone.js'

interface CheckOptions {
  /**
   * Whether required members are checked: true for the whole with its defaults; false for the file
   * alone, which may be partial.
   */
  readonly complete: boolean
  /**
   * Whether the value at a path may be shown: it stands in the file itself and does not come from a
   * variable.
   */
  showable(path: ValuePath): boolean
}

/** All problems of a value by a schema. Never shows a secret. */
export function checkValue(node: SchemaNode, value: JsonValue, options: CheckOptions, path: ValuePath = []): readonly Finding[] {
  if (takesAnything(node)) return []
  const isShown = !node['x-secret'] && options.showable(path)
  const refuse = (words: string): readonly Finding[] => [{ path, message: `${words}, found ${describe(value, isShown)}` }]
  const choices = choicesOf(node)
  if (choices?.includes(value)) return []
  const planned = typeof value === 'string' ? own(node['x-planned'], value) : undefined
  if (planned !== undefined) return [{ path, message: `“${value}” ${planned}` }]
  if (choices) return refuse(choiceWords(choices, value, isShown))
  if (node.anyOf) return checkUnion(node, node.anyOf, value, options, path)
  if (node.type === 'object' && isObject(value)) return checkObject(node, value, options, path)
  const fault = typeof value === 'string' && node.format !== undefined ? formatFault(node.format, value) : undefined
  const words = wordsFor(node, value)
  if (words !== undefined) return refuse(words)
  if (fault !== undefined) return [{ path, message: fault }]
  if (!Array.isArray(value)) return []
  return value.flatMap((item: JsonValue, index) => checkValue(node.items ?? {}, item, options, [...path, index]))
}

/**
 * The requirement of the schema that the value does not meet, members apart; `undefined` if it
 * meets all.
 */
function wordsFor({ items: _items, ...node }: SchemaNode, value: JsonValue): string | undefined {
  const isSafe = node.type !== 'integer' || typeof value !== 'number' || Number.isSafeInteger(Math.trunc(value))
  if (isSafe && Check(node as TSchema, value)) return undefined
  const [problem] = validate(node as TSchema, value)
  const words = problem?.message ?? 'must be a number that JSON represents exactly'
  if (node.type === 'string' && typeof value === 'number') return `${words} (put it in quotes)`
  return typeof value === 'number' && node['x-unit'] !== undefined && /\d$/.test(words) ? `${words} ${node['x-unit']}` : words
}

function choiceWords(choices: readonly JsonValue[], value: JsonValue, isShown: boolean): string {
  const known = choices.map((choice) => `“${String(choice)}”`).join(', ')
  const near = typeof value === 'string' && isShown ? suggestion(value, choices.map(String)) : ''
  return `must be ${choices.length === 1 ? '' : 'one of '}${known}${near === '' ? '' : ` (${near.slice(2)})`}`
}

/** The problems of the nearest variant: one of the value's own kind, with the fewest problems. */
function checkUnion(
  node: SchemaNode,
  variants: readonly SchemaNode[],
  value: JsonValue,
  options: CheckOptions,
  path: ValuePath,
): readonly Finding[] {
  const results = variants.map((variant) => ({
    ofKind: kindOf(value) === (variant.type ?? '').replace('integer', 'number'),
    findings: checkValue(node['x-secret'] ? { ...variant, 'x-secret': true } : variant, value, options, path),
  }))
  if (results.some(({ findings }) => findings.length === 0)) return []
  const ofKind = results.filter((result) => result.ofKind)
  const [nearest] = (ofKind.length > 0 ? ofKind : results).sort((left, right) => left.findings.length - right.findings.length)
  return nearest?.findings ?? []
}

const kindOf = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The value in a few words; its text only if it may be shown. */
function describe(value: JsonValue, isShown: boolean): string {
  if (value === null) return 'nothing (give it a value, or remove the line)'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  if (value === '') return 'empty text'
  if (!isShown) return typeof value === 'string' ? 'other text' : `a ${typeof value}`
  if (typeof value !== 'string') return `${typeof value === 'number' ? 'the number' : 'the word'} ${value}`
  return `text “${value.length > 60 ? `${value.slice(0, 60)}…` : value}”`
}

/** Up to this many unknown members of one object get a suggestion, since finding one takes time. */
const maxSuggestions = 20

/** The problems of an object: its size, missing members, and each member by its schema. */
function checkObject(node: SchemaNode, value: JsonObject, options: CheckOptions, path: ValuePath): readonly Finding[] {
  let refused = 0
  return [
    ...Object.entries(value).flatMap(([name, member]) => {
      const found = findMember(node, name, value, { suggests: refused < maxSuggestions })
      const at = [...path, name]
      if ('schema' in found) return checkValue(found.schema, member, options, at)
      refused += 1
      return [{ path: at, message: found.message, atKey: true }]
    }),
    ...sizeFaults(node, value).map(({ message }) => ({ path, message })),
    ...(options.complete ? missingMembers(node, value, path) : []),
  ]
}

const sizeFaults = ({ minProperties = 0, maxProperties }: SchemaNode, value: JsonObject): readonly Problem[] =>
  minProperties === 0 && maxProperties === undefined
    ? []
    : validate({ minProperties, ...(maxProperties === undefined ? {} : { maxProperties }) }, value)

function missingMembers(node: SchemaNode, value: JsonObject, path: ValuePath): readonly Finding[] {
  const variant = variantOf(node, value)
  const extension = variant === undefined ? undefined : own(node['x-extensions'], variant)
  return [...(node.required ?? []), ...(extension?.required ?? [])].flatMap((name) => {
    if (Object.hasOwn(value, name)) return []
    return [{ path: [...path, name], message: 'is required and has no default' }]
  })
}

/** The schema of a member, or why the member is not allowed. */
export function findMember(
  node: SchemaNode,
  name: string,
  value: JsonObject,
  { suggests = true }: { readonly suggests?: boolean } = {},
): { readonly schema: SchemaNode } | { readonly message: string } {
  const declared = declaredMember(node, name)
  const extended = own(node.properties, name) ? undefined : extensionMember(node, name, value)
  if (declared?.['x-removed'] !== undefined) return { message: `is no longer a field. ${declared['x-removed']}` }
  if (!extended) return declared ? { schema: declared } : { message: suggests ? unknownMember(node, name) : 'is not known here' }
  const variant = variantOf(node, value)
  const chosen = variant === undefined ? undefined : own(node['x-extensions'], variant)
  if (variant === undefined || own(chosen?.properties, name) || (!chosen && !isChoice(node))) return { schema: extended }
  const supported = Object.keys(chosen?.properties ?? {}).join(', ') || 'no settings of its own'
  return { message: `is not supported with ${node['x-variant-member']} “${variant}”, which supports ${supported}` }
}

/**
 * True if the variant member is a choice: then every variant is known, and one without an extension
 * has no settings of its own.
 */
const isChoice = (node: SchemaNode): boolean => {
  const member = own(node.properties, node['x-variant-member'] ?? '')
  return member !== undefined && choicesOf(member) !== undefined
}

function unknownMember(node: SchemaNode, name: string): string {
  const patterns = Object.keys(node.patternProperties ?? {})
  const names = memberNames(node).filter((known) => own(node.properties, known)?.['x-removed'] === undefined)
  if (patterns.length > 0 && names.length === 0) return `is not an allowed name here; names match ${patterns.join(' or ')}`
  const near = suggestion(name, names)
  return `is not known here${near || (names.length > 0 && names.length <= 12 ? `; known: ${names.join(', ')}` : '')}`
}

/** Why a text does not have a format; `undefined` if it does, or if the format is not checked. */
function formatFault(format: string, text: string): string | undefined {
  return checks[format]?.(text)
}

const checks: Readonly<Record<string, (text: string) => string | undefined>> = {
  [configurationFormats.httpUrl]: (text) => {
    const url = parseUrl(text)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'must be an absolute http:// or https:// URL'
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
    if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'must not contain a query or fragment'
    return undefined
  },
  [configurationFormats.originList]: (text) => {
    for (const origin of listOf(text)) {
      if (origin === '*' || origin === 'null') return `“${origin}” is not accepted; name each origin`
      if (!isWebOrigin(origin) && !isAppOrigin(origin))
        return 'must be exact origins such as https://app.example or app://obsidian.md, comma-separated, without path'
    }
    return undefined
  },
  [configurationFormats.networkList]: (text) =>
    listOf(text).every(isNetwork) ? undefined : 'must be IP addresses or networks such as 10.0.0.0/8, comma-separated',
  [configurationFormats.host]: (text) =>
    isIP(text) !== 0 ||
    /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(text)
      ? undefined
      : 'must be an IP address or a host name, without port',
  [configurationFormats.timeZone]: (text) => (isTimeZone(text) ? undefined : 'must be a time zone such as Europe/Berlin'),
}

function isWebOrigin(text: string): boolean {
  const url = parseUrl(text)
  return url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:') && url.origin === text.toLowerCase()
}

/** The entries of a comma-separated list, trimmed, without empty ones. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function isNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const parseUrl = (text: string): URL | undefined => (/\s/.test(text) || !URL.canParse(text) ? undefined : new URL(text))
