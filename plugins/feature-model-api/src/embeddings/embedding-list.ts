import type { Embedding } from '@agent-service/sdk/services/inference'

/** How much is written at once, in characters. */
const pieceLength = 64 * 1024

/**
 * The answer as JSON text, vector by vector: a large answer is never in memory as a whole, and other
 * requests run between its pieces.
 */
export async function* embeddingList(
  { vectors, usage }: Pick<Embedding, 'vectors' | 'usage'>,
  { model, encoding }: { readonly model: string; readonly encoding: 'float' | 'base64' },
): AsyncGenerator<Uint8Array, void, undefined> {
  let text = '{"object":"list","data":['
  for (const [index, vector] of vectors.entries()) {
    const embedding = encoding === 'base64' ? base64Of(vector) : vector
    text += `${index === 0 ? '' : ','}${JSON.stringify({ object: 'embedding', index, embedding })}`
    if (text.length < pieceLength) continue
    yield Buffer.from(text)
    text = ''
  }
  const tokens = { prompt_tokens: usage.input_tokens, total_tokens: usage.input_tokens }
  yield Buffer.from(`${text}],"model":${JSON.stringify(model)},"usage":${JSON.stringify(tokens)}}`)
}

/** The numbers as little-endian 32-bit floats. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4)
  return bytes.toString('base64')
}
