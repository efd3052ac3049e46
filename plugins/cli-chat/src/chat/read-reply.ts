import { type JsonObject, visibleLine } from '@agent-service/sdk'

/** The body of the request that answers a question. */
export type Reply =
  | { readonly decision: 'approve_once' | 'deny' | 'answer'; readonly note?: string }
  | { readonly decision: 'approve'; readonly scope: string; readonly note?: string }

/**
 * Reads a typed line as the answer to a question of an agent. Returns the body of the request;
 * undefined if the line is not an answer, or leaves open what it allows.
 */
export function readReply(asked: JsonObject, line: string): Reply | undefined {
  const text = line.trim()
  return asked['kind'] === 'question' ? replyToQuestion(asked, text) : replyToCall(asked, text)
}

/** What a line is called that is no answer. */
export function replyHint(asked: JsonObject): string {
  if (asked['kind'] === 'question') return 'Type an answer, or /skip.'
  return scopesOf(asked).length === 0 ? 'Type y or n.' : 'Type y, n, or a and a number from the list.'
}

function replyToCall(asked: JsonObject, text: string): Reply | undefined {
  const [, word = '', rest = ''] = /^(\S+?)(?:[\s,:]+(.*))?$/s.exec(text) ?? []
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return { decision: 'approve_once', ...noteIn(rest) }
    case 'n':
    case 'no':
      return { decision: 'deny', ...noteIn(rest) }
    case 'a':
    case 'always':
      return replyForAlways(scopesOf(asked), rest)
    default:
      return undefined
  }
}

/** The number of one scope, then perhaps a note. Without a number only the single scope there is. */
function replyForAlways(scopes: readonly Scope[], rest: string): Reply | undefined {
  const [, number, note = ''] = /^(\d{1,2})(?:[\s,:]+(\D.*))?$/s.exec(rest.trim()) ?? []
  const isAlone = rest.trim() === '' && scopes.length === 1
  const scope = number === undefined ? (isAlone ? scopes[0] : undefined) : scopes[Number(number) - 1]
  return scope && { decision: 'approve', scope: scope.key, ...noteIn(note) }
}

const noteIn = (text: string) => (text.trim() === '' ? {} : { note: text.trim() })

interface Scope {
  readonly key: string
  readonly label: string
}

/** What an approval can allow from now on, the narrowest first. */
const scopesOf = ({ scopes }: JsonObject): readonly Scope[] => (Array.isArray(scopes) ? (scopes as unknown as readonly Scope[]) : [])

/** What an approval has allowed from now on, in the words that the person read; undefined: nothing. */
export function allowedBy(approval: JsonObject): string | undefined {
  const allowed = scopesOf(approval).find(({ key }) => key === approval['scope'])
  return allowed && visibleLine(allowed.label)
}

/** A number picks the option with that number; everything else is the answer itself. */
function replyToQuestion(asked: JsonObject, text: string): Reply | undefined {
  if (text === '') return undefined
  if (text === '/skip') return { decision: 'deny' }
  const options = Array.isArray(asked['options']) ? (asked['options'] as readonly string[]) : []
  const chosen = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined
  return { decision: 'answer', note: chosen ?? text }
}

/**
 * The lines that show a question, each in one line whatever the agent wrote. Those of a call show
 * every character of it; in the others the terminal makes control characters visible.
 */
export function questionLines(asked: JsonObject): readonly string[] {
  if (asked['kind'] === 'question') {
    const purpose = plain(String(asked['purpose'] ?? ''))
    const options = Array.isArray(asked['options']) ? (asked['options'] as readonly string[]) : []
    const choices = options.map((option, index) => `  ${index + 1}  ${plain(option)}`)
    return [`The agent asks: ${purpose}`, ...choices, 'Type the answer, a number from the list, or /skip.']
  }
  const cut = asked['arguments_cut'] === true ? ' (shortened)' : ''
  const scopes = scopesOf(asked)
  return [
    `The agent wants to use ${visibleLine(String(asked['tool']))}: ${visibleLine(String(asked['purpose'] ?? ''))}`,
    `  ${visibleLine(JSON.stringify(asked['arguments'] ?? {}))}${cut}`,
    ...(scopes.length === 0 ? [] : ['What you can allow from now on, without being asked:']),
    ...scopes.map(({ label }, index) => `  ${index + 1}  ${visibleLine(label)}`),
    scopes.length === 0
      ? 'Allow it? y, n, or n and the reason.'
      : 'Allow it? y for this once, a and a number for always, n, or n and the reason.',
  ]
}

const plain = (text: string): string => text.replace(/[\n\r\t]+/g, ' ')
