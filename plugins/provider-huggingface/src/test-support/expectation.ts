/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  readonly finish: string
  readonly input: number
  readonly output: number
}

interface Answer {
  readonly choices: readonly [
    {
      readonly finish_reason: string
      readonly message: {
        readonly content?: string | null
        readonly reasoning?: string | null
        readonly reasoning_content?: string | null
        readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
      }
    },
  ]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

/** Computes the expectation of an answer in one piece. */
export function expectationOf(document: unknown): Expectation {
  const { choices, usage } = document as Answer
  const [{ message, finish_reason: finish }] = choices
  const [, inline, rest] = /^\s*<think>\s*([\s\S]*?)(?:<\/think>\s*([\s\S]*))?$/.exec(message.content ?? '') ?? []
  return {
    text: inline === undefined ? (message.content ?? '') : (rest ?? ''),
    reasoning: inline ?? message.reasoning_content ?? message.reasoning ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: called }) => ({
      id,
      name: called.name,
      arguments: JSON.parse(called.arguments) as unknown,
    })),
    finish,
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
  }
}
