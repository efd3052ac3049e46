import { anthropicWire } from './anthropic.js'
import { bedrockWire } from './bedrock.js'
import { completionsWire, huggingFaceWire } from './chunked.js'
import { cohereWire } from './cohere.js'
import type { FamilyWire } from './family-wire.js'
import { geminiWire } from './gemini.js'
import { ollamaWire } from './ollama.js'
import { responsesWire } from './responses.js'

/** Every protocol that the service speaks, by a short name. The fallback of one is the next. */
export const wires: Readonly<Record<string, FamilyWire>> = {
  completions: completionsWire,
  anthropic: anthropicWire,
  responses: responsesWire,
  gemini: geminiWire,
  bedrock: bedrockWire,
  cohere: cohereWire,
  ollama: ollamaWire,
  huggingface: huggingFaceWire,
}

/** Its names, in that order. */
export const families: readonly string[] = Object.keys(wires)

/** The wire of a family. */
export function wireOf(family: string): FamilyWire {
  const wire = wires[family]
  if (!wire) throw new Error(`The family “${family}” does not exist.`)
  return wire
}

/** The fallback family of another. */
export const nextFamily = (family: string): string => families[(families.indexOf(family) + 1) % families.length] ?? ''
