/** The program of the thread that counts tokens. */
import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { splitIntoBlocks } from './split-into-blocks.js'
import type { TokenEncoding } from './token-encoding.js'
import type { FromTokenThread, ToTokenThread } from './token-thread-messages.js'
import { createTokenizer, type EncodingData, type Tokenizer } from './tokenizer.js'

type CountRequest = Extract<ToTokenThread, { readonly kind: 'count' }>

const waiting = new Map<number, CountRequest>()
const tokenizers = new Map<TokenEncoding, Tokenizer>()
let working = false

const load: Readonly<Record<TokenEncoding, () => Promise<{ readonly default: EncodingData }>>> = {
  o200k_base: () => import('js-tiktoken/ranks/o200k_base'),
  cl100k_base: () => import('js-tiktoken/ranks/cl100k_base'),
}

parentPort?.on('message', (message: ToTokenThread) => {
  if (message.kind === 'forget') waiting.delete(message.id)
  else {
    waiting.set(message.id, message)
    if (!working) void work()
  }
})

async function work(): Promise<void> {
  working = true
  for (const request of waiting.values()) {
    const result = await count(request)
    if (waiting.delete(request.id)) parentPort?.postMessage(result)
  }
  working = false
}

async function count({ id, encoding, texts }: CountRequest): Promise<FromTokenThread> {
  try {
    const tokenizer = tokenizers.get(encoding) ?? createTokenizer((await load[encoding]()).default)
    tokenizers.set(encoding, tokenizer)
    const counts: number[] = []
    for (const text of texts) {
      let tokens = 0
      for (const block of splitIntoBlocks(text)) {
        tokens += tokenizer.count(block)
        // Lets messages arrive meanwhile, so that the request can be cancelled.
        if (block.length < text.length) await setImmediate()
        if (!waiting.has(id)) return { id, failure: 'forgotten' }
      }
      counts.push(tokens)
    }
    return { id, counts }
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) }
  }
}
