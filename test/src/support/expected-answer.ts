import type { Recording } from './recordings.js'

/** What a recording says, read from its JSON alone and without any code of the product. */
export interface ExpectedAnswer {
  readonly text: string
  readonly toolCalls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly finishReason: string | null
  readonly promptTokens: number | undefined
  readonly failed: boolean
}

type Json = { readonly [key: string]: unknown }

interface Call {
  id: string | undefined
  name: string
  arguments: string
}

export function expectedAnswer(recording: Recording): ExpectedAnswer {
  if (recording.kind === 'whole') return expectedWhole(recording)
  const chunks = recording.body
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && line.slice(5).trim() !== '[DONE]')
    .flatMap((line) => parsed(line.slice(5)))
  const calls = new Map<number, Call[]>()
  let text = ''
  let finishReason: string | null = null
  let usage: Json | undefined
  let failed = false
  for (const chunk of chunks) {
    if (chunk['error'] !== undefined) failed = true
    const choice = (chunk['choices'] as readonly Json[] | undefined)?.[0]
    usage = (chunk['usage'] as Json | null | undefined) ?? (choice?.['usage'] as Json | undefined) ?? usage
    if (!choice) continue
    finishReason = (choice['finish_reason'] as string | null | undefined) ?? finishReason
    const delta = (choice['delta'] ?? {}) as Json
    text += textOf(delta['content'])
    for (const piece of (delta['tool_calls'] as readonly Json[] | undefined) ?? []) collect(calls, piece)
  }
  return {
    text,
    toolCalls: [...calls.values()].flat().map((call) => ({
      name: call.name,
      arguments: call.arguments === '' ? {} : JSON.parse(recording.truncated ? '{}' : call.arguments),
    })),
    finishReason,
    promptTokens: usage?.['prompt_tokens'] as number | undefined,
    failed,
  }
}

function expectedWhole(recording: Recording): ExpectedAnswer {
  const body = JSON.parse(recording.body.toString('utf8')) as Json
  const choice = (body['choices'] as readonly Json[] | undefined)?.[0]
  const message = (choice?.['message'] ?? {}) as Json
  const legacy = message['function_call'] as Json | null | undefined
  const calls = (message['tool_calls'] as readonly Json[] | null | undefined) ?? (legacy ? [{ function: legacy }] : [])
  return {
    // A refusal is what the model says to the person.
    text: textOf(message['content']) || textOf(message['refusal']),
    toolCalls: calls.map((call) => {
      const target = call['function'] as Json
      const given = target['arguments']
      return {
        name: String(target['name']),
        arguments: typeof given === 'string' ? (given === '' ? {} : JSON.parse(given)) : (given ?? {}),
      }
    }),
    finishReason: (choice?.['finish_reason'] as string | undefined) ?? null,
    promptTokens: (body['usage'] as Json | undefined)?.['prompt_tokens'] as number | undefined,
    failed: choice === undefined,
  }
}

function collect(calls: Map<number, Call[]>, piece: Json): void {
  const index = (piece['index'] as number | undefined) ?? 0
  const target = (piece['function'] ?? {}) as Json
  const known = calls.get(index) ?? []
  calls.set(index, known)
  const id = piece['id'] as string | undefined
  let call = known.at(-1)
  if (!call || (id !== undefined && id !== '' && call.id !== undefined && id !== call.id)) {
    call = { id, name: String(target['name'] ?? ''), arguments: '' }
    known.push(call)
  }
  const given = target['arguments']
  call.arguments += typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
}

/** Content is a string, or a list of parts of which the text ones count. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as readonly Json[]).map((part) => (part['type'] === 'text' ? String(part['text']) : '')).join('')
}

function parsed(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json]
  } catch {
    // The last line of a stream that was cut.
    return []
  }
}
