import { defineError, type JsonObject, visibleLine } from '@agent-service/sdk'
import {
  checkToolFiles,
  type Tool,
  type ToolAgent,
  type ToolContent,
  type ToolQuestion,
  type ToolResult,
  type ToolScope,
} from '@agent-service/sdk/contracts/tool'

/** How the functions of a contribution run. */
export interface ContributionGuard {
  /** Runs code of the plugin. Errors that escape from it are attributed to the plugin. */
  run<Result>(work: () => Result): Result
  /** A member of the contribution broke its contract, and the service went on without it. */
  onFault(what: string, error: unknown): void
}

export const toolMemberError = defineError<{ readonly tool: string; readonly member: string; readonly reason: string }>({
  code: 'tool_member_invalid',
  status: 500,
  title: 'Tool does not keep its contract',
  message: ({ tool, member, reason }) => `“${member}” of the tool “${tool}” ${reason}.`,
})

/**
 * A tool whose members cannot harm their caller. If `offered` throws or returns neither true nor
 * false, the tool is withheld. If `purpose` throws or returns no line, the title replaces it. If
 * `scopes` throws or returns no well-formed scopes, the call is of no kind; if `exactly` does, that very call cannot be allowed for later. If `asks` throws or returns no question, or `execute` returns no result, the call fails. If
 * the files of a result are not well-formed, it names none. Each such fault is reported as the plugin's.
 */
export function guardTool(tool: Tool, guard: ContributionGuard): Tool {
  const { offered, purpose, scopes, exactly, asks, probe } = tool
  return Object.freeze<Tool>({
    ...tool,
    ...(offered && {
      offered(agent: ToolAgent): boolean {
        const answer = answerOf(tool, 'offered', guard, () => offered(agent), isBoolean, 'true or false')
        return 'value' in answer && answer.value
      },
    }),
    ...(purpose && {
      purpose(input: JsonObject): string {
        const answer = answerOf(tool, 'purpose', guard, () => purpose(input), isText, 'a line of text')
        return 'value' in answer ? visibleLine(answer.value.trim()) : tool.title
      },
    }),
    ...(scopes && {
      scopes(input: JsonObject): readonly ToolScope[] {
        const answer = answerOf(
          tool,
          'scopes',
          guard,
          () => scopes(input),
          isScopes,
          'at most 10 scopes, each with its own key and a label',
        )
        return 'value' in answer ? answer.value : []
      },
    }),
    ...(exactly && {
      exactly(input: JsonObject): string | false {
        const answer = answerOf(tool, 'exactly', guard, () => exactly(input), isExactness, 'a line of at most 200 characters, or false')
        return 'value' in answer && answer.value
      },
    }),
    ...(asks && {
      asks(input: JsonObject): ToolQuestion | undefined {
        const answer = answerOf(tool, 'asks', guard, () => asks(input), isQuestion, 'a question or undefined')
        if ('value' in answer) return answer.value
        throw answer.fault
      },
    }),
    ...(probe && { probe: async (...given: Parameters<typeof probe>) => guard.run(() => probe(...given)) }),
    async execute(input, context) {
      const result: unknown = await guard.run(() => tool.execute(input, context))
      const reason = reasonAgainstResult(result)
      if (reason !== undefined) throw reported(tool, 'execute', reason, guard)
      return withFiles(tool, result as ToolResult, guard)
    },
  })
}

/** What a member returned at once, or why it did not return the expected; that is reported. */
function answerOf<Value>(
  tool: Tool,
  member: string,
  guard: ContributionGuard,
  ask: () => unknown,
  isExpected: (value: unknown) => value is Value,
  expected: string,
): { readonly value: Value } | { readonly fault: unknown } {
  let value: unknown
  try {
    value = guard.run(ask)
  } catch (fault) {
    guard.onFault(`${member} of the tool ${tool.name}`, fault)
    return { fault }
  }
  return isExpected(value) ? { value } : { fault: reported(tool, member, reasonAgainst(value, expected), guard) }
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Limits of the scopes of one call; keys and labels in UTF-16 code units. */
const maxScopes = 10
const maxKeyLength = 500
const maxLabelLength = 200

const isScopes = (value: unknown): value is readonly ToolScope[] =>
  Array.isArray(value) && value.length <= maxScopes && value.every(isScope) && new Set(value.map(({ key }) => key)).size === value.length

const isExactness = (value: unknown): value is string | false => value === false || (isText(value) && value.length <= maxLabelLength)

function isScope(value: unknown): value is ToolScope {
  if (typeof value !== 'object' || value === null) return false
  const { key, label } = value as Partial<ToolScope>
  return isText(key) && key.length <= maxKeyLength && isText(label) && label.length <= maxLabelLength
}

function isQuestion(value: unknown): value is ToolQuestion | undefined {
  if (value === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  const { question, options = [] } = value as Partial<ToolQuestion>
  return isText(question) && Array.isArray(options) && options.every((option: unknown) => typeof option === 'string')
}

/**
 * Why a value is not the expected one. A promise gets a handler, so that its rejection does not
 * escape.
 */
function reasonAgainst(value: unknown, expected: string): string {
  if (!isPromiseLike(value))
    return `must return ${expected} but returned ${value === null ? 'null' : `a value of the type ${typeof value}`}`
  Promise.resolve(value).catch(() => undefined)
  return `must return ${expected} at once but returned a promise; do what has to wait in execute`
}

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'

function reported(tool: Tool, member: string, reason: string, guard: ContributionGuard): Error {
  const error = toolMemberError.create({ tool: tool.name, member, reason })
  guard.onFault(`${member} of the tool ${tool.name}`, error)
  return error
}

/** The call has had its effect, so that a wrong name of a file for people takes nothing from its result. */
function withFiles(tool: Tool, result: ToolResult, guard: ContributionGuard): ToolResult {
  const [problem] = checkToolFiles(result.files)
  if (!problem) return result
  reported(tool, 'execute', `returned a result whose ${problem.path.slice(1)} ${problem.message}`, guard)
  const { files: _, ...rest } = result
  return rest
}

function reasonAgainstResult(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return 'must return {content: […]}'
  const { content, isError } = result as { readonly content?: unknown; readonly isError?: unknown }
  if (!Array.isArray(content)) return 'must return {content: […]}, the list of parts that the model reads'
  if (isError !== undefined && typeof isError !== 'boolean') return 'must return isError as true or false'
  const wrong = content.findIndex((part: unknown) => !isContent(part))
  return wrong < 0 ? undefined : `returned content[${wrong}], which is not a text, image or json part`
}

function isContent(part: unknown): part is ToolContent {
  if (typeof part !== 'object' || part === null) return false
  const { type, text, media_type, data, json } = part as Readonly<Record<string, unknown>>
  switch (type) {
    case 'text':
      return typeof text === 'string'
    case 'image':
      return typeof media_type === 'string' && typeof data === 'string'
    case 'json':
      return typeof json === 'object' && json !== null && !Array.isArray(json)
    default:
      return false
  }
}
