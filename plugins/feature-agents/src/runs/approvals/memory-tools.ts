/** The tools of an agent's memory: an agent whose `memory.enabled` is off has neither. */
export const rememberName = 'remember'
export const recallName = 'recall'

/** Whether an agent does without this tool because its memory is off, whatever its list of tools says. */
export const isWithheld = ({ memory }: { readonly memory: { readonly enabled: boolean } }, tool: string): boolean =>
  !memory.enabled && (tool === rememberName || tool === recallName)

/** The longest text that is remembered, in UTF-16 code units. */
export const longestMemory = 4_000

/** The beginning of a text in one line, for the sentence on what a call does. */
export function inOneLine(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > 120 ? `${characters.slice(0, 120).join('')}…` : line
}
