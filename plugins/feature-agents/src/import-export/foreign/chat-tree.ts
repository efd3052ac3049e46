import { createHash } from 'node:crypto'
import { type JsonObject, wellFormed } from '@agent-service/sdk'
import { cutText, storableObject } from '../../common/well-formed.js'
import { maxMessageBytes } from '../../runs/turns/answer-limits.js'
import { firstLine } from '../../store/chats/chat.js'
import { maxBranches } from '../../store/chats/fork-chat.js'
import {
  type ChatDocument,
  documentFormat,
  documentVersion,
  type MessageInDocument,
  maxMessages,
  type PartInDocument,
} from '../chat-document.js'
import { type FileSource, type ForeignChat, ForeignChatError, type ForeignMessage, type ForeignPart } from './foreign-chat.js'

/** A file of a message, whose content is still to be found. */
export interface WantedFile {
  /** The index of its message in the document. */
  readonly message: number
  readonly name: string
  readonly source: FileSource
}

/** A chat in the form of this service. */
export interface ConvertedChat {
  readonly document: ChatDocument
  readonly files: readonly WantedFile[]
  /** What cannot be held here, for the person who imports it. */
  readonly notes: readonly string[]
}

const maxParts = 900
/** The most files of one chat. */
const maxFiles = 5_000

/**
 * A tree of messages as branches: the first one leads along the oldest messages, and wherever two or
 * more follow the same one, each later one begins a branch, so that alternatives keep their order. The
 * branch that the product shows is the one that is shown. `now`: for what has no time.
 */
export function convertChat(chat: ForeignChat, now: number): ConvertedChat {
  const created = chat.createdAt ?? chat.messages.find(({ at }) => at !== undefined)?.at ?? now
  const { below, current } = treeOf(chat)
  const leaves = leavesOf(below)
  if (leaves.length === 0) throw new ForeignChatError('it has no messages')
  const kept = new Set(
    leaves.length > maxBranches ? [current, ...leaves.filter((leaf) => leaf !== current).slice(1 - maxBranches)] : leaves,
  )
  const { branches, messages } = layOut(pruned(below, kept))
  if (messages.length > maxMessages) throw new ForeignChatError(`it has more than ${maxMessages} messages`)
  const files: WantedFile[] = []
  let latest = created
  const times = new Map<Node, number>()
  const made = messages.map(({ node, branch, sequence, run }, index): MessageInDocument => {
    const at = node.at ?? (node.parent && times.get(node.parent)) ?? created
    times.set(node, at)
    latest = Math.max(latest, at)
    const content = contentOf(node.parts)
    if (Buffer.byteLength(JSON.stringify(content)) > maxMessageBytes)
      throw new ForeignChatError(`a message of it has more than ${maxMessageBytes} bytes: “${beginning(content)}”`)
    for (const part of node.parts)
      if (part.type === 'file') files.push({ message: index, name: cutText(wellFormed(part.name), 200), source: part.source })
    if (files.length > maxFiles) throw new ForeignChatError(`it has more than ${maxFiles} files`)
    return {
      ...{ branch, sequence, run, role: node.role, content, created_at: new Date(at).toISOString() },
      status: node.partial ? 'partial' : 'complete',
      ...(node.model !== undefined && { model: wellFormed(node.model.slice(0, 100)) }),
    }
  })
  const shown = branches.find(({ end }) => end === current)?.number ?? 1
  const first = made.find(({ role }) => role === 'user') ?? made[0]
  const title =
    titleOf(chat.title) ?? firstLine(first?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') ?? '')
  const time = (at: number): string => new Date(at).toISOString()
  return {
    document: {
      ...{ format: documentFormat, version: documentVersion },
      chat: {
        ...{ title, agent: null, archived: chat.archived, compaction: true, branch: shown },
        ...{ created_at: time(created), updated_at: time(Math.max(chat.updatedAt ?? latest, created)), pinned: chat.pinned },
      },
      branches: branches.map(({ number, fork, begin }) => ({ number, fork, created_at: time(times.get(begin) ?? created) })),
      messages: made,
      summaries: [],
    },
    files,
    notes:
      leaves.length > maxBranches
        ? [`${leaves.length - maxBranches} of its ${leaves.length} branches were left out: a chat has at most ${maxBranches}`]
        : [],
  }
}

const titleOf = (title: string | null): string | null => {
  const line = wellFormed(title ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line === '' ? null : wellFormed(line.slice(0, 200))
}

const beginning = (content: readonly PartInDocument[]): string =>
  content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join(' ')
    .slice(0, 60)

/** A message of the document before it has its place. */
interface Node {
  readonly role: MessageInDocument['role']
  readonly parts: readonly ForeignPart[]
  readonly at: number | undefined
  readonly model: string | undefined
  readonly partial: boolean
  /** The message before it. */
  readonly parent: Node | undefined
}

type Tree = ReadonlyMap<Node | undefined, readonly Node[]>

/**
 * The messages with parts, by the one that they follow. What follows a message without parts follows
 * the one before it. @throws `ForeignChatError` if messages follow each other in a circle.
 */
function treeOf({ messages, current }: ForeignChat): { readonly below: Tree; readonly current: Node | undefined } {
  const children = new Map<string | null, ForeignMessage[]>()
  const ids = new Set(messages.map(({ id }) => id))
  if (ids.size !== messages.length) throw new ForeignChatError('two of its messages have the same id')
  for (const message of messages) {
    const parent = message.parent !== null && ids.has(message.parent) ? message.parent : null
    const there = children.get(parent)
    if (there) there.push(message)
    else children.set(parent, [message])
  }
  const below = new Map<Node | undefined, Node[]>()
  const ends = new Map<string, Node | undefined>()
  const waiting: { readonly message: ForeignMessage; readonly above: Node | undefined }[] = []
  const wait = (id: string | null, above: Node | undefined): void => {
    for (const message of (children.get(id) ?? []).toReversed()) waiting.push({ message, above })
  }
  wait(null, undefined)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    let end = next.above
    for (const node of nodesOf(next.message)) {
      const made: Node = { ...node, parent: end }
      const siblings = below.get(end)
      if (siblings) siblings.push(made)
      else below.set(end, [made])
      end = made
    }
    ends.set(next.message.id, end)
    wait(next.message.id, end)
  }
  if (ends.size < messages.length) throw new ForeignChatError('some of its messages follow each other in a circle')
  const newest = messages.reduce<ForeignMessage | undefined>(
    (last, each) => (last && (last.at ?? 0) > (each.at ?? 0) ? last : each),
    undefined,
  )
  let shown = ends.get(current !== undefined && ends.has(current) ? current : (newest?.id ?? ''))
  for (let after = below.get(shown)?.at(-1); after; after = below.get(shown)?.at(-1)) shown = after
  return { below, current: shown }
}

/** The messages of this service that one of a product becomes: results are in messages of their own. */
function nodesOf({ role, parts, at, model, partial = false }: ForeignMessage): readonly Omit<Node, 'parent'>[] {
  const groups: { readonly role: MessageInDocument['role']; readonly parts: ForeignPart[] }[] = []
  for (const part of parts) {
    const own = part.type === 'result' ? 'tool' : role
    const last = groups.at(-1)
    // A call ends the message in which it stands only with its result: several calls can go out at once.
    if (last?.role === own) last.parts.push(part)
    else groups.push({ role: own, parts: [part] })
  }
  return groups.map((group, index) => ({
    ...group,
    at,
    model: group.role === 'assistant' ? model : undefined,
    partial: partial && group.role === 'assistant' && index === groups.length - 1,
  }))
}

/** The last messages of all paths, in the order of the tree. */
function leavesOf(below: Tree): readonly Node[] {
  const leaves: Node[] = []
  const waiting = [...(below.get(undefined) ?? [])].reverse()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const after = below.get(node)
    if (after) for (const each of after.toReversed()) waiting.push(each)
    else leaves.push(node)
  }
  return leaves
}

/** The tree with only the paths to these leaves. */
function pruned(below: Tree, leaves: ReadonlySet<Node | undefined>): Tree {
  const kept = new Set<Node>()
  for (const leaf of leaves) for (let node = leaf; node && !kept.has(node); node = node.parent) kept.add(node)
  return new Map([...below].map(([node, after]) => [node, after.filter((each) => kept.has(each))]))
}

interface PlacedBranch {
  readonly number: number
  readonly fork: { readonly branch: number; readonly sequence: number } | null
  readonly begin: Node
  readonly end: Node
}

interface PlacedMessage {
  readonly node: Node
  readonly branch: number
  readonly sequence: number
  readonly run: number
}

/** Gives each message its branch and its place. A message of a person begins a run, and so does an alternative answer. */
function layOut(below: Tree): { readonly branches: readonly PlacedBranch[]; readonly messages: readonly PlacedMessage[] } {
  const branches: PlacedBranch[] = []
  const messages: PlacedMessage[] = []
  const [first, ...others] = below.get(undefined) ?? []
  if (!first) return { branches, messages }
  const waiting: { readonly begin: Node; readonly fork: PlacedBranch['fork'] }[] = [{ begin: first, fork: null }]
  for (const begin of others) waiting.push({ begin, fork: { branch: 1, sequence: 0 } })
  let run = 0
  for (const { begin, fork } of waiting) {
    const number = branches.length + 1
    let sequence = fork?.sequence ?? 0
    let end = begin
    run += 1
    for (let node: Node | undefined = begin; node; sequence += 1) {
      if (node.role === 'user' && node !== begin) run += 1
      messages.push({ node, branch: number, sequence, run })
      end = node
      const [next, ...alternatives]: readonly Node[] = below.get(node) ?? []
      for (const other of alternatives) waiting.push({ begin: other, fork: { branch: number, sequence: sequence + 1 } })
      node = next
    }
    branches.push({ number, fork, begin, end })
  }
  return { branches, messages }
}

/** The parts without files, which come before them once they are found, and count. */
function contentOf(parts: readonly ForeignPart[]): PartInDocument[] {
  const content: PartInDocument[] = []
  const called = new Set<string>()
  for (const part of parts) {
    const last = content.at(-1)
    if (part.type === 'text' && last?.type === 'text' && content.length >= maxParts)
      content[content.length - 1] = { type: 'text', text: `${last.text}\n\n${wellFormed(part.text)}` }
    else if (part.type === 'text' || part.type === 'reasoning') content.push({ type: part.type, text: wellFormed(part.text) })
    else if (part.type !== 'file') {
      const call = { call_id: idOf(part.id), name: toolName(part.name) }
      if (called.has(call.call_id)) continue
      called.add(call.call_id)
      if (part.type === 'call') content.push({ type: 'tool_call', ...call, arguments: inputOf(part.input) })
      else
        content.push({
          type: 'tool_result',
          ...call,
          content: [{ type: 'text', text: wellFormed(part.text) }],
          ...(part.isError && { is_error: true }),
        })
    }
  }
  if (content.length + parts.filter(({ type }) => type === 'file').length > 1_000)
    throw new ForeignChatError('a message of it has more than 1000 parts')
  return content
}

/** An id that every vendor of models accepts. */
const idOf = (id: string): string => `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`
const toolName = (name: string): string => name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'tool'

function inputOf(input: unknown): Record<string, unknown> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return storableObject(input as JsonObject) ?? {}
  return input === undefined || input === null ? {} : (storableObject({ input: input as JsonObject }) ?? {})
}
