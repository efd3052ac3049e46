/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly arguments: unknown }[]
  readonly finish: string | undefined
  readonly input: number | undefined
  readonly output: number | undefined
  readonly error: string | undefined
}

interface Line {
  readonly message?: {
    readonly content?: string
    readonly thinking?: string
    readonly tool_calls?: readonly { readonly id?: string; readonly function: { readonly name: string; readonly arguments: unknown } }[]
  }
  readonly done?: boolean
  readonly done_reason?: string
  readonly prompt_eval_count?: number
  readonly eval_count?: number
  readonly error?: string
}

/** Computes the expectation; documents are the lines of a stream or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  const lines = documents as readonly Line[]
  const last = lines.find((line) => line.done === true)
  return {
    text: lines.map((line) => line.message?.content ?? '').join(''),
    reasoning: lines.map((line) => line.message?.thinking ?? '').join(''),
    calls: lines
      .flatMap((line) => line.message?.tool_calls ?? [])
      .map((call) => ({ id: call.id, name: call.function.name, arguments: call.function.arguments })),
    finish: last?.done_reason,
    input: last?.prompt_eval_count,
    output: last?.eval_count,
    error: lines.find((line) => line.error !== undefined)?.error,
  }
}
