import { type ForeignChat, ForeignChatError, type ForeignMessage, type ForeignPart } from './foreign-chat.js'
import { type Fields, fenced, fieldsOf, isFields, listOf, someText, textOf, timeOf } from './json-values.js'

/** Whether an object is a conversation of `conversations.json`. */
export const isChatGpt = (value: Fields): boolean =>
  isFields(value['mapping']) || (typeof value['conversation_id'] === 'string' && 'current_node' in value)

/**
 * A conversation of ChatGPT: a tree of nodes, of which `current_node` is the end of the shown path.
 * What ChatGPT does not show is left out: system messages, custom instructions, hidden messages and
 * recaps of reasoning. Thoughts become reasoning; what a tool was asked and answered becomes a call
 * with its result.
 */
export function readChatGpt(value: Fields): ForeignChat {
  const id = someText(value['conversation_id']) ?? someText(value['id'])
  if (id === undefined) throw new ForeignChatError('it has no id')
  if (!isFields(value['mapping'])) throw new ForeignChatError('it has no messages (“mapping”)')
  const nodes = Object.entries(value['mapping'])
  const messages: ForeignMessage[] = []
  const tools = new Map(nodes.map(([key, node]) => [key, toolNodeOf(node)]))
  const shown = nodes.filter(([, node]) => isFields(fieldsOf(node)['message']))
  const numbers = new Map(shown.map(([key], index) => [key, index + 1]))
  for (const [key, node] of inTreeOrder(nodes)) {
    const message = fieldsOf(node)['message']
    const parent = someText(fieldsOf(node)['parent']) ?? null
    if (!isFields(message)) {
      messages.push({ id: key, parent, role: 'assistant', parts: [] })
      continue
    }
    const where = `message ${numbers.get(key) ?? 0}`
    const role = fieldsOf(message['author'])['role']
    if (typeof role !== 'string') throw new ForeignChatError(`${where} has no author`)
    if (!isFields(message['content'])) throw new ForeignChatError(`${where} has no content`)
    const call = role === 'tool' ? callAbove(key, tools) : undefined
    const parts = isHidden(message, role) ? [] : partsOf(message, { key, role, call, where })
    messages.push({
      ...{ id: key, parent, role: role === 'user' ? 'user' : 'assistant', parts, at: timeOf(message['create_time']) },
      model: role === 'assistant' ? someText(fieldsOf(message['metadata'])['model_slug']) : undefined,
      partial: role === 'assistant' && message['status'] === 'in_progress',
    })
  }
  return {
    ...{ product: 'chatgpt', id, title: someText(value['title']) ?? null, messages },
    ...{ createdAt: timeOf(value['create_time']), updatedAt: timeOf(value['update_time']) },
    archived: value['is_archived'] === true,
    pinned: value['is_starred'] === true || typeof value['pinned_time'] === 'number',
    current: someText(value['current_node']),
  }
}

type Node = readonly [key: string, node: unknown]

/** The nodes so that those below the same one have the order of its `children`. */
function inTreeOrder(nodes: readonly Node[]): readonly Node[] {
  const rank = new Map<string, number>()
  for (const [, node] of nodes) for (const [index, child] of listOf(fieldsOf(node)['children']).entries()) rank.set(textOf(child), index)
  return nodes
    .map((node, index) => ({ node, index, rank: rank.get(node[0]) ?? Number.MAX_SAFE_INTEGER }))
    .sort((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ node }) => node)
}

/** What a node has to do with tools. */
interface ToolNode {
  readonly parent: string
  /** The tool that it calls. */
  readonly calls: string | undefined
  /** Whether a tool wrote it. */
  readonly answers: boolean
}

function toolNodeOf(node: unknown): ToolNode {
  const { parent, message } = fieldsOf(node)
  const { author, recipient, content, metadata } = fieldsOf(message)
  const role = fieldsOf(author)['role']
  const isCall = role === 'assistant' && !isHidden({ metadata, content }, role) && isCalling(textOf(recipient), content)
  return { parent: textOf(parent), calls: isCall ? textOf(recipient) : undefined, answers: role === 'tool' }
}

const isCalling = (recipient: string, content: unknown): boolean =>
  recipient !== '' && recipient !== 'all' && fieldsOf(content)['content_type'] !== 'thoughts'

/** The call above a node of a tool; undefined if there is none, or another node has answered it. */
function callAbove(key: string, tools: ReadonlyMap<string, ToolNode>): { readonly id: string; readonly name: string } | undefined {
  const seen = new Set<string>()
  for (let at = tools.get(key)?.parent ?? ''; !seen.has(at); at = tools.get(at)?.parent ?? '') {
    seen.add(at)
    const node = tools.get(at)
    if (node === undefined || node.answers) return undefined
    if (node.calls !== undefined) return { id: at, name: node.calls }
  }
  return undefined
}

function isHidden({ metadata, content }: Fields, role: string): boolean {
  const kind = fieldsOf(content)['content_type']
  return (
    role === 'system' ||
    fieldsOf(metadata)['is_visually_hidden_from_conversation'] === true ||
    fieldsOf(metadata)['is_user_system_message'] === true ||
    kind === 'user_editable_context' ||
    kind === 'model_editable_context' ||
    kind === 'reasoning_recap'
  )
}

interface Place {
  readonly key: string
  readonly role: string
  /** What a tool answers. */
  readonly call: { readonly id: string; readonly name: string } | undefined
  readonly where: string
}

function partsOf(message: Fields, { key, role, call, where }: Place): readonly ForeignPart[] {
  const content = fieldsOf(message['content'])
  const metadata = fieldsOf(message['metadata'])
  const recipient = textOf(message['recipient'])
  const pieces = contentOf(content, metadata, where)
  if (role === 'assistant' && isCalling(recipient, content)) {
    return [{ type: 'call', id: key, name: recipient, input: inputOf(content, pieces) }]
  }
  if (role === 'tool') {
    const text = textIn(pieces)
    const name = call?.name ?? someText(fieldsOf(message['author'])['name']) ?? 'tool'
    const isError = content['content_type'] === 'system_error'
    const files = pieces.filter(({ type }) => type === 'file')
    if (call === undefined) return [...(text === '' ? [] : [{ type: 'text', text: fenced(text) } as const]), ...files]
    return [...(text === '' ? [] : [{ type: 'result', id: call.id, name, text, isError } as const]), ...files]
  }
  return role === 'user' ? [...attachmentsOf(metadata, pieces), ...pieces] : pieces
}

const textIn = (parts: readonly ForeignPart[]): string => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')

/** What a tool was given: the object that the text is, or the text itself. */
function inputOf({ text, content_type }: Fields, pieces: readonly ForeignPart[]): unknown {
  const given = someText(text) ?? textIn(pieces)
  try {
    const value: unknown = JSON.parse(given)
    if (isFields(value)) return value
  } catch {
    // Code of another language, or plain words.
  }
  return content_type === 'code' ? { code: given } : { text: given }
}

function contentOf(content: Fields, metadata: Fields, where: string): readonly ForeignPart[] {
  const text = (given: string): readonly ForeignPart[] => (given.trim() === '' ? [] : [{ type: 'text', text: given }])
  switch (content['content_type']) {
    case 'text':
      return text(withReferences(listOf(content['parts']).map(textOf).join('\n\n'), metadata))
    case 'multimodal_text':
      return listOf(content['parts']).flatMap((part) =>
        typeof part === 'string' ? text(withReferences(part, metadata)) : assetOf(part, metadata),
      )
    case 'code': {
      const language = textOf(content['language'])
      return text(fenced(textOf(content['text']), language === 'unknown' ? '' : language))
    }
    case 'thoughts': {
      const thoughts = listOf(content['thoughts']).map(fieldsOf)
      const words = thoughts.map(({ summary, content: said }) => [textOf(summary), textOf(said)].filter((each) => each !== '').join('\n\n'))
      return words.some((each) => each !== '') ? [{ type: 'reasoning', text: words.filter((each) => each !== '').join('\n\n') }] : []
    }
    case 'tether_quote':
    case 'sonic_webpage':
      return text([textOf(content['title']), textOf(content['url']), textOf(content['text'])].filter((each) => each !== '').join('\n'))
    case 'tether_browsing_display':
      return text(textOf(content['result']) || textOf(content['summary']))
    case 'execution_output':
      return text(textOf(content['text']))
    case 'system_error':
      return text([textOf(content['name']), textOf(content['text'])].filter((each) => each !== '').join(': '))
    default: {
      const words = [textOf(content['text']), ...listOf(content['parts']).map(textOf)].filter((each) => each !== '')
      if (typeof content['content_type'] !== 'string') throw new ForeignChatError(`${where} has no kind of content (“content_type”)`)
      return text(words.length > 0 ? words.join('\n\n') : `(${content['content_type']})`)
    }
  }
}

/** A picture, a recording, or the words of one. */
function assetOf(part: unknown, metadata: Fields): readonly ForeignPart[] {
  const fields = fieldsOf(part)
  if (fields['content_type'] === 'audio_transcription') {
    const said = textOf(fields['text'])
    return said === '' ? [] : [{ type: 'text', text: said }]
  }
  const pointer =
    someText(fields['asset_pointer']) ??
    someText(fieldsOf(fields['audio_asset_pointer'])['asset_pointer']) ??
    someText(fields['audio_asset_pointer'])
  if (pointer === undefined) return []
  const id = pointer.replace(/^[\w-]+:\/\//, '').split(/[#?/]/, 1)[0] ?? ''
  const attached = listOf(metadata['attachments'])
    .map(fieldsOf)
    .find((each) => each['id'] === id)
  return [
    { type: 'file', name: someText(attached?.['name']) ?? id, source: id === '' ? { kind: 'missing' } : { kind: 'archived', ids: [id] } },
  ]
}

/** The files of a person that no part of the message points to. */
function attachmentsOf(metadata: Fields, pieces: readonly ForeignPart[]): readonly ForeignPart[] {
  const known = new Set(pieces.flatMap((part) => (part.type === 'file' && part.source.kind === 'archived' ? part.source.ids : [])))
  return listOf(metadata['attachments']).flatMap((value): readonly ForeignPart[] => {
    const { id, name } = fieldsOf(value)
    const key = textOf(id)
    if (known.has(key)) return []
    return [
      {
        type: 'file',
        name: someText(name) ?? (key || 'file'),
        source: key === '' ? { kind: 'missing' } : { kind: 'archived', ids: [key] },
      },
    ]
  })
}

/**
 * The text with its references as Markdown: ChatGPT writes a mark between two characters for private
 * use, and what it stands for beside the text.
 */
function withReferences(text: string, metadata: Fields): string {
  if (!text.includes('\ue200')) return text
  let result = text
  for (const value of listOf(metadata['content_references'])) {
    const { matched_text, alt } = fieldsOf(value)
    if (typeof matched_text === 'string' && matched_text.startsWith('\ue200')) result = result.replaceAll(matched_text, () => textOf(alt))
  }
  return result.replaceAll(/\ue200[^\ue201]*\ue201/g, '')
}
