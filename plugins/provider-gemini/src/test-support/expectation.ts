/** The expected answer, computed from its documents independently of the adapter. */
export interface Expectation {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  /** Signatures in the order in which they came. */
  readonly signatures: readonly string[]
  readonly finish: string | undefined
  readonly usage: { readonly input: number; readonly cached: number; readonly output: number; readonly reasoning: number }
}

interface LoosePart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly name?: string; readonly args?: unknown; readonly partialArgs?: readonly LoosePiece[] }
}
interface LoosePiece {
  readonly jsonPath: string
  readonly stringValue?: string
  readonly numberValue?: number
}
interface LooseChunk {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly LoosePart[] }; readonly finishReason?: string }[]
  readonly usageMetadata?: Readonly<Record<string, number>>
}

/** Computes the expectation; documents are the chunks of a stream or one whole answer. */
export function expectationOf(documents: readonly unknown[]): Expectation {
  const chunks = documents as readonly LooseChunk[]
  const candidates = chunks.flatMap((chunk) => chunk.candidates?.slice(0, 1) ?? [])
  const parts = candidates.flatMap((candidate) => candidate.content?.parts ?? [])
  const usage = chunks.map((chunk) => chunk.usageMetadata).findLast((told) => told !== undefined) ?? {}
  const joined = (thought: boolean): string => parts.map((part) => (Boolean(part.thought) === thought ? (part.text ?? '') : '')).join('')
  const calls: { name: string; arguments: unknown; pieces: LoosePiece[] }[] = []
  for (const { functionCall } of parts) {
    if (functionCall?.name !== undefined) calls.push({ name: functionCall.name, arguments: functionCall.args ?? {}, pieces: [] })
    calls.at(-1)?.pieces.push(...(functionCall?.partialArgs ?? []))
  }
  return {
    text: joined(false),
    reasoning: joined(true),
    calls: calls.map(({ name, arguments: given, pieces }) => ({ name, arguments: pieces.length === 0 ? given : argumentsOf(pieces) })),
    signatures: parts.flatMap((part) => part.thoughtSignature ?? []),
    finish: candidates.findLast((candidate) => candidate.finishReason !== undefined)?.finishReason,
    usage: {
      input: usage['promptTokenCount'] ?? 0,
      cached: usage['cachedContentTokenCount'] ?? 0,
      output: (usage['candidatesTokenCount'] ?? 0) + (usage['thoughtsTokenCount'] ?? 0),
      reasoning: usage['thoughtsTokenCount'] ?? 0,
    },
  }
}

/**
 * First every path with its joined value, then the JSON text of them all. Paths are sorted as they
 * came.
 */
function argumentsOf(pieces: readonly LoosePiece[]): unknown {
  const values = new Map<string, string | number>()
  for (const { jsonPath, stringValue, numberValue } of pieces) {
    const before = values.get(jsonPath)
    values.set(jsonPath, numberValue ?? `${before ?? ''}${stringValue ?? ''}`)
  }
  const lists = new Map<string, Record<string, unknown>[]>()
  const result: Record<string, unknown> = {}
  for (const [path, value] of values) {
    const [, list, index, name] = /^\$\.(\w+)\[(\d+)\]\.(\w+)$/.exec(path) ?? []
    if (list === undefined || name === undefined) result[path.slice(2)] = value
    else {
      const entries = lists.get(list) ?? []
      lists.set(list, entries)
      const entry = entries[Number(index)] ?? {}
      entries[Number(index)] = entry
      entry[name] = value
    }
  }
  return { ...result, ...Object.fromEntries(lists) }
}
