import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject, type FieldRules, hint, never, otherContent } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'
import { readDetail, readFile, readImage } from './media.js'

/** Where a value stands, and what of it has no effect. */
export interface Place {
  readonly at: string
  readonly ignored: IgnoredFields
}

const noStoredFiles = never('is not supported: no files are stored here. Send the content as a data URI.')
const fileMembers: FieldRules = { file_data: 'carried', filename: 'carried', file_id: noStoredFiles, file_url: noStoredFiles }

/** The members of a part of content, by type. Clients mix the types of both protocols. */
const partFields: Readonly<Record<string, FieldRules>> = {
  text: { ...otherContent, type: 'carried', text: 'carried', '*': 'ignored' },
  input_text: { ...otherContent, type: 'carried', text: 'carried', '*': 'ignored' },
  output_text: { ...otherContent, type: 'carried', text: 'carried', '*': 'ignored' },
  refusal: { ...otherContent, type: 'carried', refusal: 'carried', '*': 'ignored' },
  image_url: { ...otherContent, type: 'carried', image_url: 'carried', detail: 'carried', '*': 'ignored' },
  input_image: { ...otherContent, type: 'carried', image_url: 'carried', detail: 'carried', file_id: noStoredFiles, '*': 'ignored' },
  file: { ...otherContent, type: 'carried', file: 'carried', '*': 'ignored' },
  input_file: { ...otherContent, ...fileMembers, type: 'carried', detail: hint('auto'), '*': 'ignored' },
}

const imageFields: FieldRules = { url: 'carried', detail: 'carried', '*': 'ignored' }
const fileFields: FieldRules = { ...fileMembers, '*': 'ignored' }
const details = ['low', 'high', 'original'] as const

/** Reasoning and pictures in the content of an answer that is sent back: no provider takes them from another one. */
const answerTypes: ReadonlySet<string> = new Set([
  ...['thinking', 'redacted_thinking', 'reasoning', 'reasoning_text', 'summary_text'],
  ...['image_url', 'input_image', 'output_image'],
])

/** A text, or a list of parts that are texts. @throws for anything else. */
export const readTexts = (content: JsonValue | undefined, place: Place): readonly TextPart[] =>
  readList(content, place, (part, here) => [textOf(part) ?? refusePart(here, 'text here')])

/** The texts of an answer that is sent back; its reasoning and pictures are left out. @throws for anything else. */
export const readAnswerTexts = (content: JsonValue | undefined, place: Place): readonly TextPart[] =>
  readList(content, place, (part, here) => {
    const type = String(part['type'])
    if (!answerTypes.has(type)) return [textOf(part) ?? refusePart(here, 'text here')]
    here.ignored.add(`${here.at}.${type}`)
    return []
  })

/** A text, or a list of texts, images and files. @throws for anything else. */
export const readParts = (content: JsonValue | undefined, place: Place): readonly (TextPart | ImagePart | FilePart)[] =>
  readList<TextPart | ImagePart | FilePart>(content, place, (part, here) => [
    textOf(part) ?? imageOf(part, here) ?? fileOf(part, here) ?? refusePart(here, 'text, image_url or file'),
  ])

/** Checks the members of each part before it is read; a part of another type is refused by its reader. */
function readList<Part>(
  content: JsonValue | undefined,
  { at, ignored }: Place,
  read: (part: JsonObject, here: Place) => readonly Part[],
): readonly (Part | TextPart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw unsupportedParameterError.create({ param: at, reason: 'must be a text or a list of parts.' })
  return content.flatMap((item: JsonValue, index) => {
    const here = { at: `${at}[${index}]`, ignored }
    const type = typeof item === 'object' && item !== null ? String((item as JsonObject)['type']) : ''
    const rules = Object.hasOwn(partFields, type) ? partFields[type] : undefined
    return read(rules ? (checkedObject(item, rules, here.at, ignored) ?? {}) : ((item ?? {}) as JsonObject), here)
  })
}

function refusePart({ at }: Place, types: string): never {
  throw unsupportedParameterError.create({ param: at, reason: `must be a part of type ${types}.` })
}

function textOf({ type, text, refusal }: JsonObject): TextPart | undefined {
  const words = type === 'refusal' ? refusal : ['text', 'input_text', 'output_text'].includes(String(type)) ? text : undefined
  return typeof words === 'string' ? { type: 'text', text: words } : undefined
}

/** Its address and detail stand in an object, or in the part itself. */
function imageOf(part: JsonObject, { at, ignored }: Place): ImagePart | undefined {
  const { type, image_url: given } = part
  if (type !== 'image_url' && type !== 'input_image') return undefined
  const place = `${at}.image_url`
  const image = typeof given === 'string' ? undefined : checkedObject(given, imageFields, place, ignored)
  const detail = image?.['detail'] ?? part['detail']
  return { ...readImage(image?.['url'] ?? given, place), ...readDetail(detail, details, image?.['detail'] === undefined ? at : place) }
}

/** Its content stands in an object, or in the part itself. */
function fileOf(part: JsonObject, { at, ignored }: Place): FilePart | undefined {
  if (part['type'] === 'input_file') return readFile(part['file_data'], part['filename'], `${at}.file_data`)
  if (part['type'] !== 'file') return undefined
  const { file_data: data, filename } = checkedObject(part['file'], fileFields, `${at}.file`, ignored) ?? {}
  return readFile(data, filename, `${at}.file`)
}
