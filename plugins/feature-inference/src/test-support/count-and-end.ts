/** A program that counts once, prints the tokens, and has nothing else to do. */
import { createTokenWorker } from '../tokens/create-token-worker.js'

const worker = createTokenWorker({ clock: { after: () => () => undefined } })
const [tokens] = await worker.count('o200k_base', ['hello world'], new AbortController().signal)
process.stdout.write(String(tokens))
