import { Worker } from 'node:worker_threads'
import { onAbort } from '@agent-service/sdk/async'
import { vaultContentInvalidError, vaultUnavailableError } from '@agent-service/sdk/contracts/vault-connector'
import { type Answer, type Outcomes, vault, type Work } from './protocol.js'

/** Threads that open files, one job at a time in each. */
export interface WorkThreads {
  /** @throws `vault_content_invalid` when the job takes too much memory, `vault_unavailable` when the thread ends, the signal's reason. */
  run<Kind extends keyof Outcomes>(work: Work, options: { readonly signal: AbortSignal }): Promise<Answer<Kind>>
  /** Ends the idle threads. */
  close(): Promise<void>
}

/** Beside it, a thread has the bytes of the file and the memory of Argon2. */
const maxHeapMb = 512
/** A thread waits so long for the next job, as pages of a list follow each other; what is left of the last one goes with it. */
const maxIdleMs = 3_000
/** After a larger file the thread ends, so that its memory is free at once. */
const maxKeptBytes = 1_000_000

interface Idle {
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

/** Makes none before a job needs one. An aborted or failed job takes its thread with it. */
export function createWorkThreads(): WorkThreads {
  const idle = new Set<Idle>()

  const take = (): Worker => {
    const [first] = idle
    if (first === undefined)
      return new Worker(new URL('./worker/keepass-worker.js', import.meta.url), {
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      })
    idle.delete(first)
    clearTimeout(first.timer)
    forgetListeners(first.worker)
    first.worker.ref()
    return first.worker
  }

  const end = (each: Idle): Promise<number> => {
    idle.delete(each)
    clearTimeout(each.timer)
    return each.worker.terminate()
  }

  const keep = (worker: Worker): void => {
    const each: Idle = { worker, timer: setTimeout(() => end(each), maxIdleMs).unref() }
    forgetListeners(worker)
    worker.on('error', () => end(each)).on('exit', () => end(each))
    worker.unref()
    idle.add(each)
  }

  return {
    async run(work, { signal }) {
      signal.throwIfAborted()
      const worker = take()
      let isDone = false
      try {
        const answer = await answerOf(worker, work, signal)
        isDone = work.bytes.length <= maxKeptBytes
        return answer as never
      } finally {
        if (isDone) keep(worker)
        else await worker.terminate()
      }
    },
    async close() {
      await Promise.all([...idle].map(end))
    },
  }
}

function answerOf(worker: Worker, work: Work, signal: AbortSignal): Promise<Answer> {
  let forget: () => void = () => undefined
  return new Promise<Answer>((resolve, reject) => {
    worker.on('message', resolve)
    worker.on('error', (error: Error & { readonly code?: unknown }) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : unavailable(error)),
    )
    worker.on('exit', () => reject(unavailable()))
    forget = onAbort(signal, reject)
    worker.postMessage(work)
  }).finally(() => forget())
}

/** The worker has listeners of its own for other events. */
function forgetListeners(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

const tooLarge = (): Error =>
  vaultContentInvalidError.create({
    vault,
    reason: `it takes more than ${maxHeapMb} MiB of memory to read; it has too many entries or versions`,
  })

const unavailable = (cause?: unknown): Error =>
  vaultUnavailableError.create({ vault, reason: 'the thread that opens it has ended' }, { cause })
