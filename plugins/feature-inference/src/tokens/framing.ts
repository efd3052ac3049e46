/** The overhead of a request beside its texts for a model family, in tokens. */
export interface Framing {
  /** Per request: the start of the answer and the vendor's own preamble. */
  readonly request: number
  /** Per message: its role and its delimiters. */
  readonly message: number
  /** Per tool call and per result. */
  readonly call: number
  /** Once if there are tools: the instructions for calling them. */
  readonly tools: number
  /** Per tool. */
  readonly tool: number
}

/**
 * The framing of a model, by its id. OpenAI's is published; the other numbers come from the usage
 * of recorded requests, rounded up.
 */
export function framingOf(model: string): Framing {
  const name = model.toLowerCase()
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise
}

const otherwise: Framing = { request: 16, message: 6, call: 12, tools: 200, tool: 12 }

const families: readonly (readonly [RegExp, Framing])[] = [
  [/gpt-|chatgpt|codex|(?:^|[/.:])o[1-9](?:-|$)/, { request: 3, message: 4, call: 8, tools: 12, tool: 8 }],
  [/claude/, { request: 40, message: 6, call: 24, tools: 500, tool: 30 }],
  [/gemini/, { request: 8, message: 6, call: 12, tools: 60, tool: 12 }],
  [/deepseek/, { request: 100, message: 6, call: 16, tools: 200, tool: 16 }],
  [/llama/, { request: 16, message: 6, call: 16, tools: 600, tool: 12 }],
  [/command-a-plus/, { request: 100, message: 6, call: 16, tools: 200, tool: 16 }],
  [/command-a/, { request: 1_500, message: 6, call: 16, tools: 200, tool: 16 }],
  [/command/, { request: 100, message: 6, call: 16, tools: 900, tool: 16 }],
  [/nova-2/, { request: 120, message: 6, call: 24, tools: 900, tool: 24 }],
  [/nova/, { request: 60, message: 6, call: 24, tools: 400, tool: 24 }],
  [/grok/, { request: 220, message: 6, call: 16, tools: 200, tool: 16 }],
]
