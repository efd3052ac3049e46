import { type JsonObject, visibleLine } from '@agent-service/sdk'
import type { ToolScope } from '@agent-service/sdk/contracts/tool'
import type { Connection } from '../store/connection.js'
import type { AskedQuestion } from '../store/conversation.js'
import type { Delivery } from '../store/delivery.js'

/**
 * What an approval offers in a channel to be allowed from now on: the very call, and the narrowest
 * kind that its tool names. What is wider is allowed in the console, not between two messages.
 */
export function offeredScopes(scopes: unknown): readonly ToolScope[] {
  const all = Array.isArray(scopes) ? (scopes as readonly ToolScope[]) : []
  return ['call:', 'of:'].flatMap((start) => all.find(({ key }) => key.startsWith(start)) ?? [])
}

/** Whether a text is all of what it describes: a purpose that was shortened says at its end how much is left out. */
export const isWhole = (text: string): boolean => !/\[\d+ more characters\]$/.test(text)

/** What the owner reads: what the agent wants to do, what they can allow from now on, and how to answer. */
export function questionText(
  {
    kind,
    options,
    scopes,
  }: { readonly kind: AskedQuestion['kind']; readonly options: readonly string[]; readonly scopes: readonly ToolScope[] },
  text: string,
  { form }: Pick<Connection, 'form'>,
): string {
  if (kind === 'question') {
    const list = options.map((option) => `- ${option}`).join('\n')
    return list === '' ? text : `${text}\n\n${list}`
  }
  const always = scopes.map(({ label }, index) => `Always ${index + 1}: ${visibleLine(label)}`)
  return [
    literal(visibleLine(text), form),
    ...(always.length === 0 ? [] : ['What you can allow from now on, without being asked:', literal(always.join('\n'), form)]),
    form.buttons ? 'May the agent do that?' : `May the agent do that? ${wordsFor(always.length)}`,
  ].join('\n\n')
}

const wordsFor = (count: number): string => {
  if (count === 0) return 'Answer “yes” or “no”.'
  return `Answer “yes” for this once, “no”, ${Array.from({ length: count }, (_, index) => `or “always ${index + 1}”`).join(' ')}.`
}

/**
 * A text of which a channel shows every character and formats none. Where texts are Markdown it is a
 * block of code; marks in it that could end that are shown by their number.
 */
const literal = (text: string, { markdown }: Connection['form']): string =>
  markdown ? `\`\`\`\n${text.replace(/`{3,}/g, (marks) => '<U+0060>'.repeat(marks.length))}\n\`\`\`` : text

/** The buttons of a question. Yes is for this one call; each “Always” has its words in the text. */
export function buttonsOf({
  kind,
  token,
  options,
  scopes,
}: Pick<AskedQuestion, 'kind' | 'token' | 'options' | 'scopes'>): Delivery['buttons'] {
  if (kind === 'approval')
    return [
      { label: 'Yes', value: `q:${token}:y` },
      { label: 'No', value: `q:${token}:n` },
      ...scopes.map((_, index) => ({ label: `Always ${index + 1}`, value: `q:${token}:a${index + 1}` })),
    ]
  // More than fit, and long ones, are answered in words.
  const short = options.every((option) => option.length <= 30 && option !== '' && !/[\r\n]/.test(option))
  return short && options.length <= 5 ? options.map((label, index) => ({ label, value: `q:${token}:${index}` })) : []
}

const outcomes: Readonly<Record<string, string>> = {
  approved: 'The answer was yes.',
  denied: 'The answer was no.',
  answered: 'This was answered.',
  expired: 'No one answered in time.',
}

/** How a question ended, and what was allowed with that. */
export function outcomeOf({ status, scope, scopes }: JsonObject, { form }: Pick<Connection, 'form'>): string {
  const allowed = Array.isArray(scopes) ? (scopes as unknown as readonly ToolScope[]).find(({ key }) => key === scope) : undefined
  if (status === 'approved' && allowed !== undefined)
    return `The answer was yes, and from now on without asking:\n\n${literal(visibleLine(allowed.label), form)}`
  return outcomes[String(status)] ?? 'This question is no longer open.'
}
