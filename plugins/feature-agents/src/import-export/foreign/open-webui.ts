import { type FileSource, type ForeignChat, ForeignChatError, type ForeignMessage, type ForeignPart } from './foreign-chat.js'
import { type Fields, fieldsOf, isFields, listOf, someText, textOf, timeOf } from './json-values.js'

/** Whether an object is a chat of Open WebUI, or what such a chat has in `chat`. */
export const isOpenWebUi = (value: Fields): boolean => {
  const chat = isFields(value['chat']) ? value['chat'] : value
  return isFields(fieldsOf(chat['history'])['messages'])
}

/**
 * A chat of Open WebUI. What it stores as `<details>` at the beginning of an answer, reasoning and calls
 * of tools, becomes what it was.
 */
export function readOpenWebUi(value: Fields): ForeignChat {
  const chat = isFields(value['chat']) ? value['chat'] : value
  const id = someText(value['id']) ?? someText(chat['id'])
  if (id === undefined) throw new ForeignChatError('it has no id')
  const history = fieldsOf(chat['history'])
  const stored = Object.entries(fieldsOf(history['messages']))
  const keys = new Set(stored.map(([key]) => key))
  const rank = new Map<string, number>()
  for (const [, message] of stored)
    for (const [index, child] of listOf(fieldsOf(message)['childrenIds']).entries()) rank.set(textOf(child), index)
  const messages = stored.map(([key, message], index): ForeignMessage & { readonly rank: number } => {
    const where = `message ${index + 1}`
    if (!isFields(message)) throw new ForeignChatError(`${where} is not an object`)
    const role = message['role']
    if (typeof role !== 'string') throw new ForeignChatError(`${where} has no author (“role”)`)
    const parent = textOf(message['parentId'])
    return {
      ...{ id: key, parent: keys.has(parent) ? parent : null, role: role === 'user' ? 'user' : 'assistant' },
      parts: role === 'user' || role === 'assistant' ? [...filesOf(message), ...contentOf(message, key, where)] : [],
      at: timeOf(message['timestamp']),
      model: role === 'assistant' ? (someText(message['modelName']) ?? someText(message['model'])) : undefined,
      partial: role === 'assistant' && (message['done'] === false || isFields(message['error'])),
      rank: rank.get(key) ?? stored.length,
    }
  })
  return {
    ...{ product: 'open-webui', id, title: someText(value['title']) ?? someText(chat['title']) ?? null },
    messages: messages.toSorted((one, other) => one.rank - other.rank),
    createdAt: timeOf(value['created_at']) ?? timeOf(chat['timestamp']),
    updatedAt: timeOf(value['updated_at']),
    archived: value['archived'] === true,
    pinned: value['pinned'] === true,
    current: someText(history['currentId']),
  }
}

function contentOf(message: Fields, key: string, where: string): readonly ForeignPart[] {
  const output = listOf(message['output'])
  const made = output.flatMap((item, index) => outputPart(fieldsOf(item), `${key} ${index}`))
  if (made.length > 0) return made
  const { content } = message
  const failure = someText(fieldsOf(message['error'])['content'])
  const said = typeof content === 'string' ? partsOfText(content, key) : listOf(content).flatMap((part) => partOf(fieldsOf(part)))
  if (typeof content !== 'string' && !Array.isArray(content) && failure === undefined) throw new ForeignChatError(`${where} has no content`)
  return failure === undefined ? said : [...said, { type: 'text', text: failure }]
}

/** What newer releases store beside the text. */
function outputPart(item: Fields, key: string): readonly ForeignPart[] {
  const words = (value: unknown): string =>
    typeof value === 'string'
      ? value
      : listOf(value)
          .map((each) => textOf(fieldsOf(each)['text']))
          .filter((each) => each !== '')
          .join('\n\n')
  switch (item['type']) {
    case 'message':
      return words(item['content']).trim() === '' ? [] : [{ type: 'text', text: words(item['content']) }]
    case 'reasoning':
      return words(item['content']).trim() === '' ? [] : [{ type: 'reasoning', text: words(item['content']) }]
    case 'function_call': {
      const id = someText(item['call_id']) ?? someText(item['id']) ?? key
      return [{ type: 'call', id, name: someText(item['name']) ?? 'tool', input: parsed(textOf(item['arguments'])) }]
    }
    case 'function_call_output':
      return [{ type: 'result', id: textOf(item['call_id']), name: 'tool', text: words(item['output']), isError: false }]
    default:
      return []
  }
}

/** A part in the form of OpenAI's API. */
function partOf(part: Fields): readonly ForeignPart[] {
  if (part['type'] === 'text') return textOf(part['text']).trim() === '' ? [] : [{ type: 'text', text: textOf(part['text']) }]
  const url = fieldsOf(part['image_url'])['url']
  return typeof url === 'string' ? [fileOf('picture', url)] : []
}

function filesOf(message: Fields): readonly ForeignPart[] {
  return listOf(message['files'])
    .map(fieldsOf)
    .flatMap((file): readonly ForeignPart[] => {
      const inner = fieldsOf(file['file'])
      const name = someText(file['name']) ?? someText(inner['filename']) ?? (file['type'] === 'image' ? 'picture' : 'file')
      const text = someText(fieldsOf(inner['data'])['content'])
      if (file['type'] !== 'image' && text !== undefined) return [{ type: 'file', name, source: { kind: 'text', text } }]
      return [fileOf(name, textOf(file['url']))]
    })
}

function fileOf(name: string, url: string): ForeignPart {
  const [, data] = /^data:[^,]{0,200};base64,(.*)$/s.exec(url) ?? []
  const last = url.split('/').findLast((each) => each !== '' && each !== 'content')
  const source: FileSource =
    data !== undefined ? { kind: 'base64', data } : last === undefined ? { kind: 'missing' } : { kind: 'archived', ids: [last] }
  return { type: 'file', name, source }
}

/** Its attributes have no `<` in them: that is escaped. */
const opening = /<details\s+type="(reasoning|tool_calls)"([^<>]*)>/g

/** The text with what stands in `<details>` of a known type taken apart. */
function partsOfText(text: string, key: string): readonly ForeignPart[] {
  const parts: ForeignPart[] = []
  const say = (piece: string): void =>
    void (piece.trim() !== '' && parts.push({ type: 'text', text: parts.length === 0 ? piece : piece.trimStart() }))
  let at = 0
  for (const match of text.matchAll(opening)) {
    if (match.index < at) continue
    const end = text.indexOf('</details>', match.index)
    if (end === -1) break
    say(text.slice(at, match.index))
    const inner = text.slice(match.index + match[0].length, end)
    const [, type, attributes = ''] = match
    if (type === 'reasoning') parts.push({ type: 'reasoning', text: reasoningText(inner) })
    else parts.push(...callOf(attributes, inner, `${key} ${match.index}`))
    at = end + '</details>'.length
  }
  say(text.slice(at))
  return parts.filter((part) => part.type !== 'reasoning' || part.text !== '')
}

const reasoningText = (inner: string): string =>
  unescaped(inner.replace(/<summary>[\s\S]*?<\/summary>/, ''))
    .trim()
    .replaceAll(/^> ?/gm, '')

function callOf(attributes: string, inner: string, key: string): readonly ForeignPart[] {
  const attribute = (name: string): string => unescaped(new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
  const id = attribute('id') || key
  const name = attribute('name') || 'tool'
  const text = attribute('result') || unescaped(inner.replace(/<summary>[\s\S]*?<\/summary>/, '')).trim()
  return [
    { type: 'call', id, name, input: parsed(attribute('arguments')) },
    { type: 'result', id, name, text, isError: false },
  ]
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Some releases store the text of the arguments as JSON once more.
    return typeof value === 'string' ? parsed(value) : value
  } catch {
    return text === '' ? {} : { text }
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", '#x2F': '/' }
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|#x27|#x2F);/g, (whole, name: string) => entities[name] ?? whole)
