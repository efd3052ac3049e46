import { ServiceError, Type } from '@agent-service/sdk'
import { plainTextOf } from '@agent-service/sdk/channels'
import { defineTool, type Tool, type ToolContext, type ToolResult } from '@agent-service/sdk/contracts/tool'
import { lookup } from 'mime-types'
import { fileNotSentError } from '../common/errors.js'
import { idOf } from '../common/ids.js'
import { maxSentFileBytes, maxWaitingDeliveries } from '../common/limits.js'
import { fileDeliveries } from '../outbox/file-deliveries.js'
import { keepCopy, removeCopy } from '../outbox/kept-copies.js'
import { lineOfConversation } from '../outbox/new-delivery.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { oneLine } from '../sessions/shown-error.js'
import { connectionCollection } from '../store/connection.js'
import { conversationKind } from '../store/conversation.js'
import { type Delivery, deliveryCollection } from '../store/delivery.js'
import { type AgentFile, type FileSource, fileSources, openAgentFile } from './agent-file.js'
import { type FilePlace, filePlaceOf, sendFileName } from './file-place.js'
import { shareInstead } from './share-instead.js'

export interface SendFileDependencies {
  readonly parts: ChannelParts
  readonly onDelivery: (connectionId: string, line: string) => void
}

interface SendFileInput {
  readonly path: string
  readonly from?: FileSource
  readonly caption?: string
}

/** How agents send files to the conversation in a channel in which they answer. Elsewhere they do not have it. */
export const createSendFileTool = (dependencies: SendFileDependencies): Tool =>
  defineTool({
    name: sendFileName,
    title: 'Send a file',
    display: {
      icon: 'mail',
      words: {
        en: {
          title: 'Send a file',
          ask: 'Send {path}',
          running: 'Sending {path}',
          done: 'Sent {path}',
          failed: 'Could not send {path}',
        },
        de: {
          title: 'Datei senden',
          ask: '{path} senden',
          running: 'Sendet {path}',
          done: '{path} gesendet',
          failed: 'Konnte {path} nicht senden',
        },
      },
    },
    description:
      'Sends a file to the messenger conversation in which you answer: when the person asks for a file, or when what you made is one. It arrives before your answer, as it is now. Where the messenger takes no such file, the person gets a link. Send each file once, and do not repeat its content in the answer.',
    parameters: Type.Object({
      path: Type.String({ minLength: 1, maxLength: 400, description: 'The file, relative to your workspace: “report.pdf”.' }),
      from: Type.Optional(
        Type.Union(
          fileSources.map((source) => Type.Literal(source)),
          { description: '`workspace`: your workspace (default). `files`: the person’s own files, if you may read them.' },
        ),
      ),
      caption: Type.Optional(Type.String({ maxLength: 1_000, description: 'What to say with it, in a sentence.' })),
    }),
    effect: 'idempotent',
    readsWorkspace: true,
    approval: 'never',
    offered: ({ reportsTo }) => reportsTo === undefined || reportsTo?.kind === conversationKind,
    purpose: ({ path }) => `Send the file “${oneLine(path, 200)}”`,
    execute: (input, context) => answered(dependencies.parts, context, () => sendFile(dependencies, input, context)),
  })

async function sendFile({ parts, onDelivery }: SendFileDependencies, input: SendFileInput, context: ToolContext): Promise<ToolResult> {
  const { database, metrics } = parts
  context.signal.throwIfAborted()
  const place = await filePlaceOf(parts, context)
  const id = `f.${idOf(context.runId, context.callId)}`
  // An earlier attempt of this call has brought it under way.
  const earlier = await database.collection(deliveryCollection).get(id)
  if (earlier) return said(`${earlier.file ? `“${earlier.file.name}”` : 'A link to the file'} is on its way to this conversation already.`)
  const line = lineOfConversation(place.connection.id, place.conversation.conversation_id)
  await demandShortLine(parts, line)
  const file = await openAgentFile(parts, context, { from: input.from ?? 'workspace', path: input.path })
  const how = await bringUnderWay(parts, { id, place, file, caption: input.caption ?? '', context })
  onDelivery(place.connection.id, line)
  metrics.file(how.outcome)
  return said(how.answer)
}

/** What waits in one conversation is bounded, whatever a model does. */
async function demandShortLine({ database }: ChannelParts, line: string): Promise<void> {
  const page = await database.collection(deliveryCollection).query({ index: 'by_line', equals: [line], limit: maxWaitingDeliveries })
  if (page.items.length >= maxWaitingDeliveries)
    throw fileNotSentError.create({ reason: 'Too many messages wait to be sent to this conversation already. Try again later.' })
}

interface Departure {
  readonly id: string
  readonly place: FilePlace
  readonly file: AgentFile
  readonly caption: string
  readonly context: ToolContext
}

/** As a file where the channel takes it, else as a link. */
async function bringUnderWay(
  parts: ChannelParts,
  departure: Departure,
): Promise<{ readonly outcome: 'file' | 'link'; readonly answer: string }> {
  const { id, place, file, caption, context } = departure
  const { content, path } = file
  const { form } = place.connection
  const name = nameOf(content.name)
  const maxBytes = Math.min(form.max_file_bytes ?? 0, maxSentFileBytes)
  const said = form.markdown ? caption.trim() : await plainTextOf(caption.trim())
  if (content.size > maxBytes) {
    await content.close()
    const why = maxBytes === 0 ? `${form.title} takes no files` : `“${name}” has ${content.size} bytes, and ${form.title} takes ${maxBytes}`
    const link = await shareInstead(parts, context, { path, why })
    await store(parts, departure, { text: [said, `${name}\n${link.contentUrl}`].filter((each) => each !== '').join('\n\n'), file: null })
    const until = new Date(link.expiresAt).toISOString()
    return { outcome: 'link', answer: `${why}: a link to it is sent to this conversation before your answer. It works until ${until}.` }
  }
  const { userId, signal } = context
  try {
    const size = await keepCopy(parts, { id, userId, content, maxBytes, signal })
    const about = { name, media_type: lookup(name) || 'application/octet-stream', size }
    await store(parts, departure, { text: said, file: about })
    return { outcome: 'file', answer: `“${name}” (${size} bytes) is sent to this conversation before your answer.` }
  } catch (error) {
    if (!(await parts.database.collection(deliveryCollection).get(id))) await removeCopy(parts, { id, keeps: userId })
    throw error
  } finally {
    await content.close()
  }
}

/** One line without slashes, as channels want names. */
const nameOf = (name: string): string => oneLine(name.replaceAll(/[\\/]/g, '_'), 255) || 'file'

/** Stores the messages, once. @throws `file_not_sent` if the connection was deleted meanwhile. */
async function store(
  { database, clock }: ChannelParts,
  { id, place: { connection, conversation }, context }: Departure,
  { text, file }: Pick<Delivery, 'text' | 'file'>,
): Promise<void> {
  const given = { conversationId: conversation.conversation_id, userId: conversation.user_id, runId: context.runId, now: clock.now() }
  const deliveries = fileDeliveries(connection, { ...given, id, text, file })
  await database.transaction(
    async (transaction) => {
      if (await transaction.get(deliveryCollection, id)) return
      if (!(await transaction.get(connectionCollection, connection.id)))
        throw fileNotSentError.create({ reason: 'The connection of this chat is gone.' })
      for (const delivery of deliveries) transaction.insert(deliveryCollection, delivery)
    },
    { signal: context.signal },
  )
}

/** What the agent can act on is a result; everything else is a fault of the tool. */
async function answered({ metrics }: ChannelParts, { signal }: ToolContext, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    // 507: no room is left for the file.
    if (!ServiceError.isInstance(error) || (error.status >= 500 && error.status !== 507)) throw error
    metrics.file('refused')
    const problems = error.problems.map(({ message }) => `The path ${message}.`).join(' ')
    return { isError: true, content: [{ type: 'text', text: `Not sent. ${problems === '' ? error.message : problems}` }] }
  }
}

const said = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })
