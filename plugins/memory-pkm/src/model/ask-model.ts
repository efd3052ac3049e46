import type { TObject } from '@agent-service/sdk'
import { type JsonObject, type JsonValue, ServiceError, validate } from '@agent-service/sdk'
import { signalWithin, untilAborted } from '@agent-service/sdk/async'
import type { ModelMessage, ToolCallPart, ToolResultPart } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callInterruptedError,
  type Inference,
  type InferenceEvent,
  type InferenceRequest,
  modelGroupUnusableError,
  requestUnsupportedError,
} from '@agent-service/sdk/services/inference'
import { stageFailedError } from './errors.js'
import { parseSubmission, type Submission } from './parse-submission.js'

/** How long one model call may take, in milliseconds. */
export const callTimeoutMs = 300_000
/** How many calls of tools one turn may have; the rest is refused. */
const maxCallsPerTurn = 8

/** Something that a stage lets its model look up. */
export interface StageTool {
  readonly name: string
  readonly description: string
  readonly parameters: TObject
  /** The input was validated. */
  execute(input: JsonObject): string | Promise<string>
}

/** One task for a model, which ends with a submission that holds. */
export interface ModelTask<in out Schema extends TObject> {
  /** One word in snake_case. */
  readonly name: string
  readonly instructions: string
  /** Already fenced. */
  readonly material: string
  readonly schema: Schema
  readonly tools: readonly StageTool[]
  readonly maxToolTurns: number
  readonly maxSubmissions: number
  /** What is wrong with a submission beyond its schema, for the model; empty: it holds. */
  check?(value: Submission<Schema>): readonly string[]
}

/** Who asks. */
export interface ModelCaller {
  readonly userId: string
  readonly group: string
  /** Aborted when the service stops. */
  readonly signal: AbortSignal
  /** What the model has answered already. Default: nothing is stored. */
  readonly log?: AnswerLog
}

/** The stored answers of a task, by their number and the question that they answer. */
export interface AnswerLog {
  read(index: number, question: unknown): JsonValue | undefined
  write(index: number, question: unknown, answer: JsonValue): Promise<void>
}

/** What a model has answered with. */
type Answer = Extract<InferenceEvent, { readonly type: 'response.finished' }>['content']

/** Asks a model until a submission holds. */
export interface StageModel {
  /**
   * The first submission that holds. What is wrong with one goes back to the model, and uses up one
   * of the allowed submissions. @throws `memory_stage_failed` when they are used up, what the
   * inference throws, the signal's reason.
   */
  submit<Schema extends TObject>(task: ModelTask<Schema>, caller: ModelCaller): Promise<Submission<Schema>>
}

export function createStageModel({ inference }: { readonly inference: Pick<Inference, 'infer'> }): StageModel {
  return {
    async submit(task, caller) {
      const messages: ModelMessage[] = [textMessage('system', instructionsOf(task)), textMessage('user', task.material)]
      let [turns, submissions, asked] = [0, 0, 0]
      let problems: readonly string[] = []
      for (;;) {
        const tools = turns < task.maxToolTurns ? task.tools : []
        const content = await loggedAnswer({ caller, index: asked, question: [messages, tools.map(({ name }) => name)] }, () =>
          ask(inference, task, { messages, tools, caller }),
        )
        asked += 1
        const calls = content.filter((part): part is ToolCallPart => part.type === 'tool_call')
        if (calls.length > 0 && tools.length > 0) {
          turns += 1
          messages.push({ role: 'assistant', content })
          messages.push({ role: 'tool', content: await answersOf(calls, tools, caller.signal) })
          continue
        }
        const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
        const parsed = parseSubmission(text, task.schema)
        problems = 'problems' in parsed ? parsed.problems : (task.check?.(parsed.value) ?? [])
        if ('value' in parsed && problems.length === 0) return parsed.value
        submissions += 1
        if (submissions >= task.maxSubmissions) break
        messages.push({ role: 'assistant', content: [{ type: 'text', text: text === '' ? '(nothing)' : text }] })
        messages.push(textMessage('user', correctionOf(problems)))
      }
      const reason = `No submission held in ${submissions} attempts; the last one: ${problems.slice(0, 3).join(' ')}`
      throw stageFailedError.create({ reason: reason.slice(0, 500) })
    },
  }
}

/** The stored answer to the same question, or that of `work`, which is stored. */
async function loggedAnswer(
  { caller, index, question }: { readonly caller: ModelCaller; readonly index: number; readonly question: unknown },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const known = caller.log?.read(index, question)
  if (known !== undefined) return known as unknown as Answer
  const answer = await work()
  await caller.log?.write(index, question, JSON.parse(JSON.stringify(answer)) as JsonValue)
  return answer
}

const textMessage = (role: 'system' | 'user', text: string): ModelMessage => ({ role, content: [{ type: 'text', text }] })

const instructionsOf = ({ instructions, schema }: Pick<ModelTask<TObject>, 'instructions' | 'schema'>): string =>
  `${instructions}\n\nAnswer with one JSON object, and nothing else, that follows this JSON Schema:\n${JSON.stringify(schema)}`

const correctionOf = (problems: readonly string[]): string =>
  `This cannot be used:\n${problems
    .slice(0, 20)
    .map((problem) => `- ${problem}`)
    .join('\n')}\nSubmit the whole object again.`

async function ask(
  inference: Pick<Inference, 'infer'>,
  { name, schema }: Pick<ModelTask<TObject>, 'name' | 'schema'>,
  {
    messages,
    tools,
    caller,
  }: { readonly messages: readonly ModelMessage[]; readonly tools: readonly StageTool[]; readonly caller: ModelCaller },
) {
  const request: InferenceRequest = {
    ...{ group: caller.group, messages: [...messages] },
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters: parameters as unknown as JsonObject })),
    attribution: { userId: caller.userId, purpose: 'memory' },
  }
  // Not every protocol has both tools and a schema; the instructions state it in any case.
  if (tools.length > 0) return answerOf(inference, request, caller.signal)
  try {
    const responseSchema = { name, schema: schema as unknown as JsonObject }
    return await answerOf(inference, { ...request, responseSchema }, caller.signal)
  } catch (error) {
    if (!requestUnsupportedError.isInstance(error) && !modelGroupUnusableError.isInstance(error)) throw error
    return answerOf(inference, request, caller.signal)
  }
}

async function answerOf(inference: Pick<Inference, 'infer'>, request: InferenceRequest, stopping: AbortSignal) {
  stopping.throwIfAborted()
  // A call that ends with the service is made again; nothing of it counts for the person.
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(callInterruptedError.create({}))
  stopping.addEventListener('abort', interrupt, { once: true })
  const signal = signalWithin(callTimeoutMs, interrupted.signal)
  try {
    for await (const event of untilAborted(inference.infer(request, { signal }), signal)) {
      if (event.type !== 'response.finished') continue
      if (event.stop_reason === 'refusal' || event.stop_reason === 'content_filter')
        throw stageFailedError.create({ reason: 'The model refused to answer.' })
      return event.content
    }
  } catch (error) {
    stopping.throwIfAborted()
    if (ServiceError.isInstance(error) || !signal.aborted) throw error
    throw stageFailedError.create({ reason: `The model took longer than ${callTimeoutMs / 1_000} seconds.` }, { cause: error })
  } finally {
    stopping.removeEventListener('abort', interrupt)
  }
  throw stageFailedError.create({ reason: 'The model’s answer broke off.' })
}

async function answersOf(
  calls: readonly ToolCallPart[],
  tools: readonly StageTool[],
  signal: AbortSignal,
): Promise<readonly ToolResultPart[]> {
  const answers: ToolResultPart[] = []
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted()
    const { call_id, provider_call_id, name } = call
    const answer = index < maxCallsPerTurn ? await answerCall(call, tools) : { text: 'Too many calls at once.', failed: true }
    const content = [{ type: 'text' as const, text: answer.text }]
    const common = { type: 'tool_result' as const, call_id, name, content, ...(provider_call_id !== undefined && { provider_call_id }) }
    answers.push(answer.failed ? { ...common, is_error: true } : common)
  }
  return answers
}

async function answerCall(call: ToolCallPart, tools: readonly StageTool[]): Promise<{ readonly text: string; readonly failed: boolean }> {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return { text: `There is no tool ${call.name}.`, failed: true }
  const problems =
    call.invalid_arguments === undefined ? validate(tool.parameters, call.arguments) : [{ path: '/', message: 'must be a JSON object' }]
  if (problems.length > 0) return { text: problems.map(({ path, message }) => `${path} ${message}`).join('; '), failed: true }
  return { text: await tool.execute(call.arguments), failed: false }
}
