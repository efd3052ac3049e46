import { namedObject, Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError, ok, type ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import type { Sandbox, SandboxProcess } from '@agent-service/sdk/services/sandbox'
import type { ProcessMasks } from '../credentials/process-masks.js'
import { presentExit } from '../reports/process-view.js'
import { callerOf } from './caller-of.js'
import { readMasked } from './masked-output.js'
import type { OutputText } from './output-decoder.js'
import { ownProcess, processParams } from './process-routes.js'

const tags = ['sandbox']
/** How much one answer has at most, in bytes of output. */
const maxPageBytes = 262_144

const from = Type.Optional(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The position of the first byte that is wanted. Default: 0.' }),
)

const pieceSchema = namedObject('SandboxOutputPiece', {
  stream: Type.Union([Type.Literal('stdout'), Type.Literal('stderr'), Type.Literal('terminal')]),
  from: Type.Integer({ minimum: 0, description: 'The position of its first byte in the output of all streams.' }),
  text: Type.String({ description: 'As the process wrote it, with escape sequences; what is no UTF-8 is U+FFFD.', examples: ['Hello\n'] }),
})

const pageSchema = namedObject('SandboxOutput', {
  pieces: Type.Array(pieceSchema),
  next_from: Type.Integer({ minimum: 0, description: 'The `from` of what follows.' }),
  skipped: Type.Boolean({ description: 'Whether what was wanted first is no longer kept.' }),
  ended: Type.Boolean({ description: 'Whether the process has ended: without pieces, this was everything.' }),
})

/** What a process has written: as text, and live. */
export function createOutputRoutes({
  sandbox,
  masks,
}: {
  readonly sandbox: Pick<Sandbox, 'find'>
  readonly masks: ProcessMasks
}): readonly HttpRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/processes/{process_id}/output',
      operationId: 'getProcessOutput',
      summary: 'Read what a process has written',
      description: `From a position on, at most ${maxPageBytes / 1_024} KiB; \`next_from\` continues. The last mebibyte is kept. Secrets that the agent was given are masked.`,
      tags,
      auth: 'user',
      params: processParams,
      query: Type.Object({ from }),
      errors: [notFoundError],
      answers: { 200: { description: 'The output.', schema: pageSchema } },
      async handle({ params, query, signal, ...request }) {
        const process = ownProcess(sandbox, callerOf(request).userId, params.process_id)
        return ok(await readPage(process, masks, query.from ?? 0, signal))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/sandbox/processes/{process_id}/output/stream',
      operationId: 'streamProcessOutput',
      summary: 'Follow what a process writes, as server-sent events',
      description:
        'Events `output` with the members of `SandboxOutputPiece`, then `exit` with those of `SandboxExit`. The id of an event is the position after it; with `Last-Event-ID` or `from` the stream continues there. If `from` of an event is beyond the id before it, what was between them is no longer kept: a client that is slow skips.',
      tags,
      auth: 'user',
      streaming: true,
      params: processParams,
      query: Type.Object({ from }),
      errors: [notFoundError],
      answers: {
        200: {
          description: 'The stream.',
          contentType: 'text/event-stream',
          example: 'id: 6\nevent: output\ndata: {"stream":"stdout","from":0,"text":"Hello\\n"}\n\n',
        },
      },
      async handle({ params, query, headers, signal, ...request }) {
        const process = ownProcess(sandbox, callerOf(request).userId, params.process_id)
        return {
          status: 200,
          kind: 'events',
          events: eventsOf(process, masks, positionOf(headers['last-event-id']) ?? query.from ?? 0, signal),
        }
      },
    }),
  ]
}

const positionOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

async function readPage(process: SandboxProcess, masks: ProcessMasks, position: number, signal: AbortSignal) {
  const output = readMasked(process, masks, { from: position, follow: false, signal })
  const texts: OutputText[] = []
  let first: number | undefined
  let next = position
  let bytes = 0
  let isCut = false
  for await (const { offset, bytes: length, text } of output.pieces()) {
    if (bytes >= maxPageBytes) {
      isCut = true
      break
    }
    first ??= offset
    bytes += length
    if (text === undefined) continue
    next = Math.max(next, text.next)
    if (text.text !== '') texts.push(text)
  }
  const ended = process.view().endedAt !== null
  // What is not whole yet is read again with what follows.
  texts.push(...(await output.rest(next, ended && !isCut)))
  const pieces = texts.map(({ stream, from: at, text }) => ({ stream, from: at, text }))
  return {
    ...{ pieces, next_from: Math.max(next, ...texts.map((text) => text.next)) },
    ...{ skipped: first !== undefined && first > position, ended: ended && !isCut },
  }
}

async function* eventsOf(
  process: SandboxProcess,
  masks: ProcessMasks,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  const output = readMasked(process, masks, { from: position, follow: true, signal })
  const eventOf = ({ next, stream, from: at, text }: OutputText): ServerSentEvent => ({
    ...{ id: String(next), event: 'output' },
    data: JSON.stringify({ stream, from: at, text }),
  })
  let last = position
  for await (const { text } of output.pieces()) {
    if (text === undefined) continue
    last = text.next
    if (text.text !== '') yield eventOf(text)
  }
  for (const text of await output.rest(last, true)) yield eventOf(text)
  yield { event: 'exit', data: JSON.stringify(presentExit(await process.exited)) }
}
