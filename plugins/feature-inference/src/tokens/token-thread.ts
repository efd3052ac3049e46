/** The program of the thread that counts tokens. */
import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { cutIntoBlocks } from './cut-into-blocks.js'
import type { TokenEncoding } from './token-encoding.js'
import type { FromTokenThread, ToTokenThread } from './token-thread-messages.js'
import { createTokenizer, type EncodingData, type Tokenizer } from './tokenizer.js'

type Order = Extract<ToTokenThread, { readonly kind: 'count' }>

const waiting = new Map<number, Order>()
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
  for (const order of waiting.values()) {
    const answer = await answerTo(order)
    if (waiting.delete(order.id)) parentPort?.postMessage(answer)
  }
  working = false
}

async function answerTo({ id, encoding, texts }: Order): Promise<FromTokenThread> {
  try {
    const tokenizer = tokenizers.get(encoding) ?? createTokenizer((await load[encoding]()).default)
    tokenizers.set(encoding, tokenizer)
    const counts: number[] = []
    for (const text of texts) {
      let count = 0
      for (const block of cutIntoBlocks(text)) {
        count += tokenizer.count(block)
        // What was told meanwhile is read, so that it can be forgotten.
        if (block.length < text.length) await setImmediate()
        if (!waiting.has(id)) return { id, failure: 'forgotten' }
      }
      counts.push(count)
    }
    return { id, counts }
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : String(error) }
  }
}
