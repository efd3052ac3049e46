/** A prompt as it is imported and exported. */
export interface FilePrompt {
  readonly command: string
  readonly title: string
  readonly text: string
}

const maxCommand = 32
const maxTitle = 120

/**
 * The prompts of a file: an own export (`{prompts: [{command, title, text}]}`), or one of Open WebUI, which is a
 * list of `{command, title, content}` (until 0.7, the command with its slash) or `{command, name, content}`.
 * Undefined if it is neither, or has none.
 */
export function promptsOfFile(content: string): readonly FilePrompt[] | undefined {
  const json = parsed(content)
  const list = Array.isArray(json) ? json : (json as { readonly prompts?: unknown } | null | undefined)?.prompts
  if (!Array.isArray(list)) return undefined
  const prompts = list.map(promptOf)
  if (prompts.length === 0 || prompts.some((prompt) => prompt === undefined)) return undefined
  return distinct(prompts.filter((prompt) => prompt !== undefined))
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function promptOf(entry: unknown): FilePrompt | undefined {
  const { command, title, name, text, content } = (entry ?? {}) as Readonly<Record<string, unknown>>
  const word = commandOf(textOf(command))
  const written = textOf(text) || ownVariables(textOf(content))
  if (word === '' || written.trim() === '') return undefined
  return { command: word, title: ([title, name].map(textOf).find((each) => each.trim() !== '') ?? word).slice(0, maxTitle), text: written }
}

/** What is left of a command of others: lower-case letters, digits and dashes. */
export const commandOf = (written: string): string =>
  written
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, maxCommand)
    .replace(/-+$/, '')

/** Variables of Open WebUI in the form of those here: `{{CURRENT_DATE}}`, and `{{name | text:…}}` with what is asked for. */
const ownVariables = (text: string): string =>
  text.replace(/\{\{\s*CURRENT_DATE\s*\}\}/g, '{{date}}').replace(/\{\{\s*([^{}|]{1,60}?)\s*\|[^{}]*\}\}/g, '{{$1}}')

/** Different commands may have become the same: later ones get a number. */
function distinct(prompts: readonly FilePrompt[]): readonly FilePrompt[] {
  const taken = new Set<string>()
  return prompts.map((prompt) => {
    let command = prompt.command
    for (let number = 2; taken.has(command); number += 1) command = `${prompt.command.slice(0, maxCommand - 5)}-${number}`
    taken.add(command)
    return { ...prompt, command }
  })
}
