import { visibleLine } from '../../core/visible-line.js'
import type { ToolPhrase } from './display.js'

/** A piece of what is told of a call: a text of the tool's author, or the value of an argument. */
export interface CallPiece {
  /** Plain text of one line; never markup. */
  readonly text: string
  /** It comes from the arguments: to be isolated from the direction of the text around it. */
  readonly isValue: boolean
}

type Arguments = Readonly<Record<string, unknown>>

/** A name of an argument in braces. */
const placeholder = /\{([^{}]*)\}/

/** The longest value that is shown, in characters; longer ones end in “…”. */
const maxValueLength = 120

/** The arguments that a text names, in order. */
export const namedArguments = (text: string): readonly string[] => text.split(placeholder).filter((_, index) => index % 2 === 1)

/** The texts of a phrase, the first one first. */
export const textsOf = (phrase: ToolPhrase): readonly string[] => (typeof phrase === 'string' ? [phrase] : phrase)

/**
 * What a phrase says of a call with these arguments; undefined if it names some that the call does
 * not have, as while they still arrive. Values show every character of them in one line.
 */
export function callWords(phrase: ToolPhrase, given: Arguments): readonly CallPiece[] | undefined {
  const text = textsOf(phrase).find((one) => namedArguments(one).every((name) => valueText(given, name) !== ''))
  return text
    ?.split(placeholder)
    .map((piece, index) => (index % 2 === 1 ? { text: valueText(given, piece), isValue: true } : { text: piece, isValue: false }))
    .filter((piece) => piece.text !== '')
}

/** The value of an argument as people read it; empty if there is none to show. */
function valueText(given: Arguments, name: string): string {
  const value = Object.hasOwn(given, name) ? given[name] : undefined
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value]
  const line = items.map(plainValue).filter(Boolean).join(', ')
  return shortened(visibleLine(line.slice(0, 4 * maxValueLength)))
}

const plainValue = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '')

function shortened(line: string): string {
  const characters = [...line]
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength - 1).join('')}…` : line
}

/**
 * The name of a tool in words, where nothing else is known of it: `write_file` and
 * `disk__write_file` as `Write file`.
 */
export function toolNameWords(name: string): string {
  const words = name
    .slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2)
    .replaceAll(/[._-]+/g, ' ')
    .trim()
  return words === '' ? visibleLine(name) : visibleLine(`${words.charAt(0).toUpperCase()}${words.slice(1)}`)
}
