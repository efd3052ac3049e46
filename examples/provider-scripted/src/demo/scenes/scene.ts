import type { JsonObject } from '@agent-service/sdk'
import type { FilePart, ImagePart } from '@agent-service/sdk/contracts/provider-adapter'
import type { CallResult } from '../../conversation/conversation.js'

/** The languages of the script. */
export type Language = 'en' | 'de'

/** One text in all languages of the script. */
export type Words = Readonly<Record<Language, string>>

/** What a scene knows of the conversation. */
export interface Stage {
  /** What the person wrote last. */
  readonly written: string
  readonly language: Language
  /** The day on which they wrote it, as `2026-01-31`. */
  readonly day: string | undefined
  /** The files of their last message, and of all messages. */
  readonly attached: { readonly last: readonly (FilePart | ImagePart)[]; readonly all: readonly (FilePart | ImagePart)[] }
  /** The answers to the calls that were made since. */
  readonly results: readonly CallResult[]
  /** Whether the agent may call the tool. */
  offers(tool: string): boolean
}

/** What is said next, and called after it. */
export interface Act {
  readonly say: string
  readonly call?: { readonly tool: string; readonly input: JsonObject }
}

/**
 * One thing that the demo can do. A scene remembers nothing: where it stands follows from the
 * conversation, so that it goes on after a restart.
 */
export interface Scene {
  /** What a chat that begins with it is called. Default: its first line. */
  readonly title?: Words
  /** Whether it answers what the person wrote. */
  fits(stage: Stage): boolean
  next(stage: Stage): Act
}

/** Whether a text has all these words, in any order. */
export const hasAll = (text: string, ...words: readonly RegExp[]): boolean => words.every((word) => word.test(text))

/** A text with the values of its `{names}`. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** The answer to the call of a tool, if it was made. */
export const resultOf = ({ results }: Stage, tool: string): CallResult | undefined => results.findLast((result) => result.tool === tool)

const lacks: Words = {
  en: 'For that I would need the tool `{tool}`, which this agent does not have here. Choose another agent below the field, or ask me what I can do.',
  de: 'Dazu bräuchte ich das Werkzeug `{tool}`, das dieser Agent hier nicht hat. Wähle unter dem Feld einen anderen Agenten, oder frag mich, was ich kann.',
}

/** Says which of the tools is not there; undefined if all are. */
export function lackOf({ offers, language }: Stage, ...tools: readonly string[]): Act | undefined {
  const missing = tools.find((tool) => !offers(tool))
  return missing === undefined ? undefined : { say: filled(lacks[language], { tool: missing }) }
}

const failed: Words = {
  en: 'That did not work. This is what came back:\n\n> {text}',
  de: 'Das hat nicht geklappt. Das kam zurück:\n\n> {text}',
}

/** Says why a call failed. */
export const failureOf = ({ text }: CallResult, language: Language): Act => ({
  say: filled(failed[language], { text: text.replace(/\s+/g, ' ').slice(0, 400) }),
})
