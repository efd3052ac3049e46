import { type Problem, Type, validate } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { runRequestInvalidError, type StartRunRequest } from '@agent-service/sdk/services/runs'
import { messageTooLongError } from '../common/errors.js'
import { storableObject, wellFormed } from '../common/well-formed.js'
import { type ForeignSchemas, schemaUnusableError } from '../foreign-schemas/foreign-schemas.js'
import { maxMessageBytes } from '../runs/turns/answer-limits.js'
import type { AgentLimits } from '../store/agents/agent.js'
import { maxCallers } from '../store/chats/callers.js'
import { maxGuestTools } from '../store/chats/chat.js'
import { maxAttachments } from '../store/chats/message.js'
import type { RunTerms } from '../store/runs/run.js'

/** The most bytes of a result schema as JSON. */
const maxSchemaBytes = 65_536
const schemaPath = '/result/schema'

/** The name of one tool: no entry for many. */
const toolName = '^[a-z][a-z0-9_]{0,63}$'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** The checks of a request that need no lookup. */
const requestSchema = Type.Object(
  {
    userId: text(200),
    key: text(200),
    agent: Type.Optional(Type.Union([Type.Object({ id: text(200) }), Type.Object({ handle: text(200) })])),
    chat: Type.Optional(
      Type.Union([
        Type.Object({ id: text(200) }),
        Type.Object({
          title: Type.Optional(text(300)),
          hidden: Type.Optional(Type.Boolean()),
          spaceId: Type.Optional(text(200)),
          guests: Type.Optional(Type.Object({ tools: Type.Array(Type.String({ pattern: toolName }), { maxItems: maxGuestTools }) })),
          callers: Type.Optional(Type.Array(text(200), { maxItems: maxCallers })),
        }),
      ]),
    ),
    attachments: Type.Optional(Type.Array(Type.Object({ path: text(2_100) }), { maxItems: maxAttachments })),
    ifBusy: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('join')])),
    modelGroup: Type.Optional(text(200)),
    tools: Type.Optional(Type.Array(text(64), { maxItems: 500 })),
    limits: Type.Optional(
      Type.Object({
        maxToolTurns: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        maxSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800 })),
        maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
      }),
    ),
    result: Type.Optional(
      Type.Object({ name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), schema: Type.Object({}, { additionalProperties: true }) }),
    ),
    depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
    parent: Type.Optional(Type.Object({ runId: text(200), callId: Type.Optional(text(200)) })),
    reportsTo: Type.Optional(Type.Object({ kind: text(100), id: text(200) })),
    answerFor: Type.Optional(Type.Union([Type.Literal('chat'), Type.Literal('report')])),
  },
  { additionalProperties: true },
)

/** A request in its stored form. */
export interface CheckedStart {
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  /** Null: everything that the agent may do. */
  readonly terms: RunTerms | null
  /** The bytes of the content as JSON. */
  readonly used: number
}

/**
 * Makes all checks that need only the request. @throws `run_request_invalid`, `message_too_long`.
 */
export function checkStart(request: StartRunRequest): CheckedStart {
  const problems = [...validate(requestSchema, request), ...resultProblems(request)]
  const content = contentOf(request.message)
  if (request.answerFor === 'report' && request.reportsTo === undefined)
    problems.push({ path: '/answerFor', message: 'must be “chat” for a run that reports to nothing' })
  if (content.length === 0 && (request.attachments ?? []).length === 0) problems.push({ path: '/message', message: 'must not be empty' })
  if (problems.length > 0) throw runRequestInvalidError.create({ problems })
  const bytes = Buffer.byteLength(JSON.stringify(content))
  if (bytes > maxMessageBytes) throw messageTooLongError.create({ bytes, limit: maxMessageBytes })
  return { content, terms: termsOf(request), used: bytes }
}

function contentOf(message: StartRunRequest['message']): CheckedStart['content'] {
  const parts = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message
  return parts
    .map((part) => (part.type === 'text' ? { ...part, text: wellFormed(part.text) } : part))
    .filter((part) => part.type !== 'text' || part.text !== '')
}

function termsOf({ tools, limits = {}, result }: StartRunRequest): RunTerms | null {
  const lowered: AgentLimits = {
    ...(limits.maxToolTurns !== undefined && { max_tool_turns: limits.maxToolTurns }),
    ...(limits.maxSeconds !== undefined && { max_run_secs: limits.maxSeconds }),
    ...(limits.maxOutputTokens !== undefined && { max_output_tokens: limits.maxOutputTokens }),
  }
  if (tools === undefined && result === undefined && Object.keys(lowered).length === 0) return null
  return { tools: tools ?? null, limits: lowered, result: result ? { name: result.name, schema: result.schema } : null }
}

/** The problems of a schema that show without compiling it. */
function resultProblems({ result }: StartRunRequest): readonly Problem[] {
  if (result === undefined) return []
  const path = schemaPath
  if (Buffer.byteLength(JSON.stringify(result.schema ?? null)) > maxSchemaBytes)
    return [{ path, message: `must have at most ${maxSchemaBytes} bytes as JSON` }]
  if (!storableObject(result.schema)) return [{ path, message: 'must be JSON that is not nested too deeply' }]
  return []
}

/**
 * Checks that answers can be checked against the result schema. @throws `run_request_invalid`;
 * `limit_reached`, `overloaded`; the signal's reason.
 */
export async function checkResultSchema(
  schemas: ForeignSchemas,
  { result, userId }: Pick<StartRunRequest, 'result' | 'userId'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (result === undefined) return
  try {
    await schemas.check(result.schema, null, { userId, signal })
  } catch (error) {
    if (!schemaUnusableError.isInstance(error)) throw error
    throw runRequestInvalidError.create({ problems: [{ path: schemaPath, message: error.message }] }, { cause: error })
  }
}
