import type { JsonObject } from '@agent-service/sdk'

/**
 * Reads a typed line as the answer to a question of an agent. Returns the body of the request;
 * undefined if the line is not an answer.
 */
export function readReply(asked: JsonObject, line: string): { readonly decision: string; readonly note?: string } | undefined {
  const text = line.trim()
  return asked['kind'] === 'question' ? replyToQuestion(asked, text) : replyToCall(text)
}

function replyToCall(text: string) {
  const [, word = '', note = ''] = /^(\S+?)(?:[\s,:]+(.*))?$/s.exec(text) ?? []
  const withNote = note.trim() === '' ? {} : { note: note.trim() }
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return { decision: 'approve', ...withNote }
    case 'n':
    case 'no':
      return { decision: 'deny', ...withNote }
    default:
      return undefined
  }
}

/** A number picks the option with that number; everything else is the answer itself. */
function replyToQuestion(asked: JsonObject, text: string) {
  if (text === '') return undefined
  if (text === '/skip') return { decision: 'deny' }
  const options = Array.isArray(asked['options']) ? (asked['options'] as readonly string[]) : []
  const chosen = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined
  return { decision: 'answer', note: chosen ?? text }
}

/**
 * The lines that show a question, each in one line whatever the agent wrote. The terminal makes
 * control characters in them visible.
 */
export function questionLines(asked: JsonObject): readonly string[] {
  const purpose = plain(String(asked['purpose'] ?? ''))
  if (asked['kind'] === 'question') {
    const options = Array.isArray(asked['options']) ? (asked['options'] as readonly string[]) : []
    const choices = options.map((option, index) => `  ${index + 1}  ${plain(option)}`)
    return [`The agent asks: ${purpose}`, ...choices, 'Type the answer, a number from the list, or /skip.']
  }
  const cut = asked['arguments_cut'] === true ? ' (shortened)' : ''
  return [
    `The agent wants to use ${plain(String(asked['tool']))}: ${purpose}`,
    `  ${plain(JSON.stringify(asked['arguments'] ?? {}))}${cut}`,
    `${asked['remembers'] === true ? 'Allow it, now and from now on?' : 'Allow it?'} y, n, or n and the reason.`,
  ]
}

const plain = (text: string): string => text.replace(/[\n\r\t]+/g, ' ')
