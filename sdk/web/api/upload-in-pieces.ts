import type { DetailedError } from 'tus-js-client'
import { placed } from '../core/base.js'
import { loadPart } from '../core/load-part.js'
import { ApiProblem, inWords, isProblem, type ProblemBody } from './problem.js'

const pieceBytes = 4 * 1024 * 1024
const minPieceBytes = 64 * 1024
/** How long to wait before each further attempt, in milliseconds. */
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000]

interface PiecesOptions {
  /** Of an upload that was begun before. */
  readonly url: string | undefined
  readonly onUrl: (url: string) => void
  readonly onProgress: (share: number) => void
  /** Aborted: what has arrived stays, for later. */
  readonly signal: AbortSignal
}

/** Sends a large file in pieces, by the tus protocol: it can be continued later. @throws {ApiProblem} */
export async function uploadInPieces(path: string, file: File, options: PiecesOptions): Promise<void> {
  let { url } = options
  const onUrl = (next: string): void => {
    url = next
    options.onUrl(next)
  }
  for (let chunkSize = pieceBytes; ; chunkSize /= 2) {
    try {
      return await sendOnce(path, file, { ...options, url, onUrl, chunkSize })
    } catch (error) {
      // The service is configured to take less at once.
      if (!isProblem(error, 'body_too_large') || chunkSize <= minPieceBytes) throw error
    }
  }
}

async function sendOnce(path: string, file: File, options: PiecesOptions & { readonly chunkSize: number }): Promise<void> {
  const { Upload } = await loadPart(() => import('tus-js-client'))
  const { url, onUrl, onProgress, signal, chunkSize } = options
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      ...{
        // The answer's address is relative, and only resolved against a whole one.
        endpoint: new URL(placed('/api/files/uploads'), location.href).href,
        uploadUrl: url === undefined ? null : placed(url),
        chunkSize,
        retryDelays,
        storeFingerprintForResuming: false,
      },
      metadata: { path, lastmodified: String(file.lastModified) },
      // An existing file is never replaced without being asked for.
      headers: { 'if-none-match': '*' },
      onUploadUrlAvailable: () => {
        if (upload.url) onUrl(upload.url)
      },
      onProgress: (sent, total) => onProgress(total === 0 ? 1 : sent / total),
      onSuccess: () => resolve(),
      onError: (error) => void problemIn(error).then(reject, reject),
    })
    const stop = (): void => {
      void upload.abort()
      reject(new ApiProblem({ status: 0, code: 'aborted', detail: 'The upload was paused.' }))
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    upload.start()
  })
}

async function problemIn(error: Error | DetailedError): Promise<ApiProblem> {
  const response = 'originalResponse' in error ? error.originalResponse : undefined
  if (!response) return new ApiProblem({ status: 0, code: 'offline', detail: 'The service did not answer.' }, { cause: error })
  try {
    return await inWords(JSON.parse(response.getBody()) as ProblemBody)
  } catch (cause) {
    return new ApiProblem({ status: response.getStatus(), code: 'unexpected_answer', detail: error.message }, { cause })
  }
}
