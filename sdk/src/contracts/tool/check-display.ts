import { Refine, type TSchema } from 'typebox'
import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { visibleLine } from '../../core/visible-line.js'
import { oneOf } from '../shape/check-shape.js'
import { namedArguments, textsOf } from './call-words.js'
import { type ToolDisplay, type ToolPhrase, toolIcons } from './display.js'
import type { Tool } from './tool.js'

const maxLength = 120
const maxTexts = 5
const languageTag = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/
const stages = ['ask', 'running', 'done', 'failed'] as const

/** One line without anything that a screen hides, and no brace but those of an argument's name. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= maxLength &&
  visibleLine(value) === value &&
  !/[{}]/.test(value.replaceAll(/\{[^{}]+\}/g, ''))

const isPhrase = (value: unknown): value is ToolPhrase =>
  Array.isArray(value) ? value.length > 0 && value.length <= maxTexts && value.every(isText) : isText(value)

const title: TSchema = Refine(
  Type.Unknown(),
  (value) => isText(value) && !value.includes('{'),
  () => `must be one line of 1 to ${maxLength} visible characters, without braces`,
)
const phrase: TSchema = Refine(
  Type.Unknown(),
  isPhrase,
  () => `must be one line of 1 to ${maxLength} visible characters with names of arguments in braces, or 1 to ${maxTexts} such lines`,
)
const words = Type.Object({ title, ask: phrase, running: phrase, done: phrase, failed: phrase }, { additionalProperties: false })

/** The form of {@link ToolDisplay}. */
export const displayShape: TSchema = Type.Object(
  { icon: Type.Optional(oneOf(toolIcons)), words: Type.Record(Type.String(), words) },
  { additionalProperties: false },
)

/** What is wrong with the words of a tool that has their form: each can be said of every call that fits the parameters. */
export function checkDisplay({ display, parameters }: Pick<Tool, 'display' | 'parameters'>): readonly Problem[] {
  if (display === undefined) return []
  const missing = 'en' in display.words ? [] : [{ path: '/display/words/en', message: 'is required: other languages fall back to it' }]
  return [
    ...missing,
    ...Object.entries(display.words).flatMap(([language, said]) => [
      ...(languageTag.test(language) ? [] : [{ path: `/display/words/${language}`, message: 'must be a language tag, such as de' }]),
      ...stages.flatMap((stage) =>
        checkPhrase(said[stage], parameters).map((message) => ({ path: `/display/words/${language}/${stage}`, message })),
      ),
    ]),
  ]
}

function checkPhrase(given: ToolPhrase, parameters: Tool['parameters']): readonly string[] {
  const required: readonly string[] = parameters.required ?? []
  const texts = textsOf(given)
  const unknown = [...new Set(texts.flatMap(namedArguments))].filter((name) => !Object.hasOwn(parameters.properties, name))
  if (unknown.length > 0) return [`names ${unknown.map((name) => `“${name}”`).join(' and ')}, which the parameters do not have`]
  const optional = namedArguments(texts.at(-1) ?? '').filter((name) => !required.includes(name))
  if (optional.length === 0) return []
  return [`must end with a text for calls without ${optional.map((name) => `“${name}”`).join(' and ')}, which is optional`]
}
