import { createHash } from 'node:crypto'
import { type ZipEntry, zipFile } from '../../support/zip-file.js'

/** A message as the test knows it, whatever product exports it. */
export interface SourceMessage {
  readonly id: string
  readonly parent: string | null
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** In seconds since 1970. */
  readonly at: number
  readonly picture?: Buffer
}

export interface SourceChat {
  readonly id: string
  readonly title: string
  readonly at: number
  readonly messages: readonly SourceMessage[]
  /** The last message of the path that is shown. */
  readonly current: string
}

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** A picture that no other is equal to. */
export const pictureOf = (key: string): Buffer => Buffer.concat([pixel, Buffer.from(key)])

const idOf = (key: string): string => {
  const hash = createHash('sha256').update(key).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

/**
 * Chats with nested branches: edits of people, answers that were regenerated, also of the first
 * message, with the current path in the middle. All by the random numbers.
 */
export function sourceChats(count: number, random: () => number, { prefix = 'chat', pictures = true } = {}): readonly SourceChat[] {
  return Array.from({ length: count }, (_, index) => {
    const key = `${prefix} ${index}`
    const at = 1_700_000_000 + index * 3_600
    const messages: SourceMessage[] = []
    const length = 2 + Math.floor(random() * 10)
    for (let number = 0; number < length; number += 1) {
      const before = messages[messages.length - 1]
      // Sometimes an earlier message is answered, or edited, once more.
      const fork = number > 1 && random() < 0.35 ? messages[Math.floor(random() * messages.length)] : undefined
      const parent = fork ? (random() < 0.5 ? (messages.find(({ id }) => id === fork.parent) ?? null) : fork) : (before ?? null)
      const role = parent?.role === 'user' ? 'assistant' : 'user'
      const text = `${role} ${key}.${number}: “${'äß€😀"\\\n`'.repeat(1 + Math.floor(random() * 3))}” \`\`\`js\nf(${number})\n\`\`\``
      const picture = pictures && role === 'user' && random() < 0.2 ? { picture: pictureOf(`${key} ${number}`) } : {}
      messages.push({ id: idOf(`${key} ${number}`), parent: parent?.id ?? null, role, text, at: at + number * 60, ...picture })
    }
    const leaves = messages.filter(({ id }) => !messages.some(({ parent }) => parent === id))
    const shown = leaves[Math.floor(random() * leaves.length)]
    return { id: idOf(key), title: `Title of ${key}`, at, messages, current: shown?.id ?? '' }
  })
}

/** The texts along the path to each leaf, in any order, and those of the path that is shown. */
export function pathsOf({ messages, current }: SourceChat): { readonly all: readonly string[]; readonly shown: string } {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const textsTo = (id: string): string => {
    const texts: string[] = []
    for (let message = byId.get(id); message; message = byId.get(message.parent ?? '')) texts.push(message.text)
    return JSON.stringify(texts.reverse())
  }
  const leaves = messages.filter(({ id }) => !messages.some(({ parent }) => parent === id))
  return { all: leaves.map(({ id }) => textsTo(id)).sort(), shown: textsTo(current) }
}

const childrenOf = ({ messages }: SourceChat, id: string | null): readonly string[] =>
  messages.filter(({ parent }) => parent === id).map(({ id: child }) => child)

/** A conversation of ChatGPT's `conversations.json`, with what it has besides: a root, a hidden message, custom instructions. */
export function chatGptChat(chat: SourceChat): Record<string, unknown> {
  const [root, system, context] = [`root-${chat.id}`, `system-${chat.id}`, `context-${chat.id}`]
  const node = (id: string, parent: string | null, children: readonly string[], message: unknown) => ({ id, parent, children, message })
  const hidden = (id: string, role: string, content: unknown) => ({
    ...{ id, author: { role, name: null, metadata: {} }, create_time: null, update_time: null, content, status: 'finished_successfully' },
    ...{ end_turn: true, weight: 0, metadata: { is_visually_hidden_from_conversation: true }, recipient: 'all', channel: null },
  })
  const mapping: Record<string, unknown> = {
    [root]: node(root, null, [system], null),
    [system]: node(system, root, [context], hidden(system, 'system', { content_type: 'text', parts: [''] })),
    [context]: node(
      context,
      system,
      childrenOf(chat, null),
      hidden(context, 'user', {
        content_type: 'user_editable_context',
        user_profile: 'SECRET PROFILE',
        user_instructions: 'SECRET WISHES',
      }),
    ),
  }
  for (const { id, parent, role, text, at, picture } of chat.messages) {
    const asset = `file-service://file-${id.slice(0, 8)}`
    const content = picture
      ? {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: asset, size_bytes: picture.length, width: 1, height: 1 }, text],
        }
      : { content_type: 'text', parts: [text] }
    mapping[id] = node(id, parent ?? context, childrenOf(chat, id), {
      ...{
        id,
        author: { role, name: null, metadata: {} },
        create_time: at + 0.25,
        update_time: null,
        content,
        status: 'finished_successfully',
      },
      ...{ end_turn: role === 'assistant' ? true : null, weight: 1, recipient: 'all', channel: null },
      metadata: {
        ...(role === 'assistant' && { model_slug: 'gpt-4o' }),
        ...(picture && {
          attachments: [{ id: `file-${id.slice(0, 8)}`, name: `photo ${id.slice(0, 4)}.png`, size: picture.length, mimeType: 'image/png' }],
        }),
      },
    })
  }
  return {
    ...{
      title: chat.title,
      create_time: chat.at + 0.5,
      update_time: chat.at + 1_000,
      mapping,
      moderation_results: [],
      current_node: chat.current,
    },
    ...{ conversation_id: chat.id, id: chat.id, default_model_slug: 'gpt-4o', is_archived: false, safe_urls: [], gizmo_id: null },
  }
}

/** An archive as ChatGPT sends it; more than 100 chats in several files. */
export function chatGptExport(
  chats: readonly SourceChat[],
  change: (index: number, chat: Record<string, unknown>) => unknown = (_, chat) => chat,
): Buffer {
  const made = chats.map((chat, index) => change(index, chatGptChat(chat)))
  const files: ZipEntry[] =
    made.length <= 100
      ? [{ name: 'conversations.json', bytes: JSON.stringify(made) }]
      : Array.from({ length: Math.ceil(made.length / 100) }, (_, index) => ({
          name: `conversations-${String(index).padStart(3, '0')}.json`,
          bytes: JSON.stringify(made.slice(index * 100, index * 100 + 100)),
        }))
  const pictures = chats.flatMap(({ messages }) =>
    messages.flatMap(({ id, picture }) =>
      picture ? [{ name: `file-${id.slice(0, 8)}-photo ${id.slice(0, 4)}.png`, bytes: picture }] : [],
    ),
  )
  return zipFile([
    { name: 'chat.html', bytes: '<html>' },
    { name: 'user.json', bytes: '{"id":"user-1","email":"ada@example.com"}' },
    ...files,
    ...pictures,
  ])
}

export function claudeChat(chat: SourceChat): Record<string, unknown> {
  const time = (at: number): string => new Date(at * 1_000).toISOString().replace('Z', '000Z')
  return {
    ...{
      uuid: chat.id,
      name: chat.title,
      summary: '',
      created_at: time(chat.at),
      updated_at: time(chat.at + 1_000),
      account: { uuid: 'account-1' },
    },
    ...{ current_leaf_message_uuid: chat.current },
    chat_messages: chat.messages.map(({ id, parent, role, text, at, picture }) => ({
      ...{ uuid: id, text: '', sender: role === 'user' ? 'human' : 'assistant', created_at: time(at), updated_at: time(at) },
      content: [
        ...(role === 'assistant' ? [{ type: 'thinking', thinking: `thinking about ${id}`, summaries: [], cut_off: false }] : []),
        { type: 'text', text, citations: [] },
      ],
      attachments: picture ? [{ file_name: 'notes.txt', file_size: 5, file_type: 'txt', extracted_content: `notes of ${id}` }] : [],
      files: [],
      parent_message_uuid: parent ?? '00000000-0000-4000-8000-000000000000',
    })),
  }
}

export const claudeExport = (chats: readonly SourceChat[]): Buffer =>
  zipFile([
    { name: 'users.json', bytes: '[{"uuid":"account-1"}]' },
    { name: 'projects.json', bytes: '[]' },
    { name: 'conversations.json', bytes: JSON.stringify(chats.map(claudeChat)) },
  ])

export function openWebUiChat(chat: SourceChat): Record<string, unknown> {
  const messages = Object.fromEntries(
    chat.messages.map(({ id, parent, role, text, at, picture }) => [
      id,
      {
        ...{ id, parentId: parent, childrenIds: childrenOf(chat, id), role, content: text, timestamp: at },
        ...(role === 'assistant' ? { model: 'llama3.1:latest', modelName: 'Llama 3.1', done: true } : { models: ['llama3.1:latest'] }),
        ...(picture && { files: [{ type: 'image', url: `data:image/png;base64,${picture.toString('base64')}` }] }),
      },
    ]),
  )
  return {
    ...{ id: chat.id, user_id: 'u1', title: chat.title, updated_at: chat.at + 1_000, created_at: chat.at, archived: false, pinned: false },
    chat: { title: chat.title, models: ['llama3.1:latest'], history: { messages, currentId: chat.current }, timestamp: chat.at * 1_000 },
  }
}

/** The one file that Open WebUI gives. */
export const openWebUiExport = (chats: readonly SourceChat[]): Buffer => Buffer.from(JSON.stringify(chats.map(openWebUiChat), null, 2))

/** A file as LibreChat exports a conversation: with all branches, recursive or as a list. */
export function libreChatFile(chat: SourceChat, recursive: boolean): Record<string, unknown> {
  const message = ({ id, parent, role, text, at }: SourceMessage): Record<string, unknown> => ({
    ...{ messageId: id, parentMessageId: parent ?? '00000000-0000-0000-0000-000000000000', conversationId: chat.id, endpoint: 'openAI' },
    ...{
      isCreatedByUser: role === 'user',
      sender: role === 'user' ? 'User' : 'GPT-4',
      model: role === 'user' ? null : 'gpt-4',
      error: false,
    },
    createdAt: new Date(at * 1_000).toISOString(),
    ...(role === 'assistant' && at % 2 === 0
      ? {
          text: '',
          content: [
            { type: 'think', think: 'hm' },
            { type: 'text', text: { value: text } },
          ],
        }
      : { text }),
  })
  const tree = (parent: string | null): unknown[] =>
    chat.messages.filter((each) => each.parent === parent).map((each) => ({ ...message(each), children: tree(each.id) }))
  return {
    ...{ conversationId: chat.id, endpoint: 'openAI', title: chat.title, exportAt: '08:12:16 GMT-0400', branches: true, recursive },
    ...(recursive ? { messagesTree: tree(null) } : { messages: chat.messages.map(message) }),
  }
}

/** Files of LibreChat, which exports one chat at a time, in an archive. */
export const libreChatExport = (chats: readonly SourceChat[]): Buffer =>
  zipFile(
    chats.map((chat, index) => ({
      name: `chats/${index} ${chat.title}.json`,
      bytes: JSON.stringify(libreChatFile(chat, index % 2 === 0)),
    })),
  )
