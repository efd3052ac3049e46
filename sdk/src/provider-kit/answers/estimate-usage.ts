import type { ModelRequest, ModelUsage } from '../../contracts/provider-adapter/index.js'

/** The estimated quantities, in UTF-16 code units. */
export interface AnswerCharacters {
  /** Text and arguments of the answer. */
  readonly output: number
  /** Its reasoning. */
  readonly reasoning: number
}

const tokens = (characters: number): number => Math.ceil(characters / 4)

/** An estimate if the vendor reports no usage: about four characters a token. */
export function estimateUsage(request: ModelRequest, { output, reasoning }: AnswerCharacters): ModelUsage {
  return {
    input_tokens: tokens(charactersOf(request)),
    cached_input_tokens: 0,
    output_tokens: tokens(output + reasoning),
    reasoning_tokens: tokens(reasoning),
    estimated: true,
  }
}

function charactersOf(request: ModelRequest): number {
  let sum = 0
  for (const message of request.messages) {
    for (const part of message.content) {
      if (part.type === 'text' || part.type === 'reasoning') sum += part.text.length
      else if (part.type === 'tool_call') sum += JSON.stringify(part.arguments).length
      else if (part.type === 'tool_result') for (const entry of part.content) sum += entry.type === 'text' ? entry.text.length : 0
    }
  }
  return sum
}
