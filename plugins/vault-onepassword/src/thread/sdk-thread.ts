import { Worker } from 'node:worker_threads'
import { withTimeLimit } from '@agent-service/sdk/async'
import type { HttpClient } from '@agent-service/sdk/services/http-client'
import type { FetchRequest, FetchResponse, FromThread, SdkMethods, ThreadData, ToThread } from './messages.js'
import { sdkFailure, threadEndedError } from './sdk-failure.js'

/** The SDK, signed in with one token, in a thread of its own. */
export interface SdkThread {
  /**
   * Calls the SDK. Rejects with what {@link sdkFailure} makes, with the signal's reason at once, or
   * when the thread has ended.
   */
  call<Name extends keyof SdkMethods>(
    method: Name,
    input: SdkMethods[Name]['input'],
    options: { readonly signal: AbortSignal; readonly signInAgain?: boolean },
  ): Promise<SdkMethods[Name]['output']>
  /** Whether it runs no more. */
  readonly isOver: boolean
  /** Ends the thread; what is under way fails. */
  close(): Promise<void>
}

/** What a thread is started with. */
export interface SdkThreadOptions {
  readonly token: string
  readonly http: HttpClient
  /** The hosts that it may reach, as patterns of the guarded client. */
  readonly hosts: readonly string[]
  readonly limits: ThreadLimits
  /** The module with `createClient`. Default: 1Password's. */
  readonly sdk?: string
}

/** How long and how large. */
export interface ThreadLimits {
  /** One call of the SDK, which may load it and sign in first. */
  readonly callMs: number
  /** One request of the SDK's. */
  readonly requestMs: number
  /** One answer. */
  readonly maxBodyBytes: number
}

/** The limits of a deployment. */
export const usualLimits: ThreadLimits = { callMs: 45_000, requestMs: 15_000, maxBodyBytes: 16 * 1024 * 1024 }

interface Waiting {
  resolve(output: unknown): void
  reject(error: unknown): void
}

/** Headers that the guarded client sets itself. */
const refusedHeader = /^(host|content-length|transfer-encoding|accept-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/

/** Starts a thread. It loads the SDK with its first call. */
export function startSdkThread({ token, http, hosts, limits, sdk = '@1password/sdk' }: SdkThreadOptions): SdkThread {
  const data: ThreadData = { sdk, token }
  const worker = new Worker(new URL('./one-password-worker.js', import.meta.url), {
    workerData: data,
    // The SDK writes to the console, and what it writes is not known.
    ...{ stdout: true, stderr: true },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  const stop = new AbortController()
  const waiting = new Map<number, Waiting>()
  let calls = 0
  let isOver = false
  // Of the last request that failed: the SDK does not say why.
  let lastFailure: unknown

  const end = (error: unknown): void => {
    isOver = true
    stop.abort(error)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const send = (message: ToThread): void => worker.postMessage(message)
  const carry = async (request: FetchRequest): Promise<FetchResponse | undefined> => {
    try {
      return await carried(request, { http, hosts, limits, signal: stop.signal })
    } catch (error) {
      lastFailure = error
      return undefined
    }
  }
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'fetch') {
      void carry(message.request).then((response) => {
        if (!isOver) send({ kind: 'fetched', id: message.id, response })
      })
      return
    }
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'done') call?.resolve(message.output)
    else call?.reject(sdkFailure(message, lastFailure))
  })
  // The core panics out of any call's reach, and takes its thread with it.
  worker.on('error', () => end(threadEndedError()))
  worker.on('exit', () => end(threadEndedError()))

  return {
    get isOver() {
      return isOver
    },
    async call(method, input, { signal, signInAgain = false }) {
      signal.throwIfAborted()
      if (isOver) throw threadEndedError()
      calls += 1
      const id = calls
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      send({ kind: 'call', id, method, input, signInAgain })
      try {
        const limit = {
          limitMs: limits.callMs,
          signal,
          timedOut: () => sdkFailure({ name: 'Error', message: 'request timeout' }, undefined),
        }
        return (await withTimeLimit(() => answer, limit)) as never
      } finally {
        waiting.delete(id)
      }
    },
    async close() {
      end(threadEndedError())
      await worker.terminate()
    },
  }
}

/** One request of the SDK's, through the guarded client, to its hosts alone. */
async function carried(
  { url, method, headers, body }: FetchRequest,
  { http, hosts, limits, signal }: Pick<SdkThreadOptions, 'http' | 'hosts' | 'limits'> & { readonly signal: AbortSignal },
): Promise<FetchResponse> {
  const answer = await http.request(
    {
      ...{ url, method, hosts, ports: [443], redirect: 'refuse' },
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !refusedHeader.test(name.toLowerCase()))),
      ...(body === undefined ? {} : { body }),
      limits: { totalMs: limits.requestMs, maxBodyBytes: limits.maxBodyBytes },
    },
    { signal },
  )
  const { 'content-encoding': _encoding, 'content-length': _length, ...more } = answer.headers
  return { status: answer.status, headers: more, url: answer.url, body: answer.body }
}
