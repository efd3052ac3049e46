/** What a saved prompt asks for when it is used. */
export interface PromptVariable {
  readonly name: string
  /** Empty if the text names none. */
  readonly preset: string
}

/** `{{name}}` or `{{name=default}}`; anything else between braces stays as it is written. */
const variablePattern = /\{\{\s*([\p{L}_][\p{L}\p{N}_ -]{0,39}?)\s*(?:=([^{}]{0,500}))?\}\}/gu

/** Filled in without asking. */
const builtIn = 'date'

/** The variables of a text in their order, each once; the first default that a name has counts. */
export function variablesOf(text: string): readonly PromptVariable[] {
  const presets = new Map<string, string>()
  for (const [, name = '', preset = ''] of text.matchAll(variablePattern))
    if (name !== builtIn && (presets.get(name) ?? '') === '') presets.set(name, preset.trim())
  return [...presets].map(([name, preset]) => ({ name, preset }))
}

/** The text with its variables filled in. Values are text alone: what looks like a variable in them stays. */
export const filledIn = (text: string, values: Readonly<Record<string, string>>, today: string): string =>
  text.replace(variablePattern, (written, name: string) =>
    name === builtIn ? today : Object.hasOwn(values, name) ? (values[name] ?? '') : written,
  )
