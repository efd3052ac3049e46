import { type Fields, fieldsOf, integerOf, listOf, textOf } from './fields.js'

/** The account of the bot. */
export interface Bot {
  readonly id: number
  /** Without `@`. */
  readonly username: string
}

/** A part of a text, in UTF-16 units, that names the bot. */
interface Mention {
  readonly start: number
  readonly end: number
}

/** Text or caption without the mention of the bot; undefined if it has neither. */
export function withoutMention(message: Fields, bot: Bot): string | undefined {
  const text = writtenIn(message)
  if (text === undefined) return undefined
  let rest = ''
  let at = 0
  for (const { start, end } of mentionsOf(message, bot)) {
    if (start < at) continue
    rest += text.slice(at, start)
    at = end
    // What stood around it is joined by one space.
    if ((rest === '' || /\s$/.test(rest)) && text[at] === ' ') at += 1
  }
  return at === 0 ? text : `${rest}${text.slice(at)}`.trim()
}

/** Whether a message in a group is for the bot: names it, is a command to it, or answers it. */
export const isForBot = (message: Fields, answered: Fields, bot: Bot): boolean =>
  integerOf(fieldsOf(answered['from'])['id']) === bot.id || mentionsOf(message, bot).length > 0

const writtenIn = (message: Fields): string | undefined => textOf(message['text']) ?? textOf(message['caption'])

function mentionsOf(message: Fields, bot: Bot): readonly Mention[] {
  const text = writtenIn(message) ?? ''
  const name = `@${bot.username.toLowerCase()}`
  const entities = listOf(message['text'] === undefined ? message['caption_entities'] : message['entities']).map(fieldsOf)
  return entities.flatMap((entity): readonly Mention[] => {
    const [start, length] = [integerOf(entity['offset']), integerOf(entity['length'])]
    if (start === undefined || length === undefined || start < 0 || length < 1 || start + length > text.length) return []
    const end = start + length
    const part = text.slice(start, end).toLowerCase()
    if (entity['type'] === 'mention') return part === name ? [{ start, end }] : []
    if (entity['type'] === 'text_mention') return integerOf(fieldsOf(entity['user'])['id']) === bot.id ? [{ start, end }] : []
    // `/ask@town_bot`: the command stays.
    return entity['type'] === 'bot_command' && part.endsWith(name) ? [{ start: end - name.length, end }] : []
  })
}
