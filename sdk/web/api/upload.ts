import { placed } from '../core/base.js'
import { ApiProblem, foreignAnswer, inWords, isPage, isProblemBody, unexpectedAnswer } from './problem.js'

/** Sends a file with reports of progress between 0 and 1, which `fetch` cannot give. @throws {ApiProblem} */
export function upload(path: string, file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (problem: ApiProblem): void => reject(problem)
    request.open('PUT', placed(`/api/files/content?path=${encodeURIComponent(path)}`))
    request.setRequestHeader('content-type', 'application/octet-stream')
    // An existing file is never replaced without being asked for.
    request.setRequestHeader('if-none-match', '*')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
    request.addEventListener('error', () => fail(new ApiProblem({ status: 0, code: 'offline', detail: 'The service did not answer.' })))
    request.addEventListener('abort', () => fail(new ApiProblem({ status: 0, code: 'aborted', detail: 'The upload was cancelled.' })))
    request.addEventListener('load', () => {
      if (request.status >= 300) problemIn(request).then(fail, reject)
      else if (isPage(request.getResponseHeader('content-type'))) fail(foreignAnswer())
      else resolve()
    })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

async function problemIn(request: XMLHttpRequest): Promise<ApiProblem> {
  const body = parsed(request.responseText)
  return isProblemBody(body) ? inWords(body) : unexpectedAnswer(request)
}

/** What a proxy answers need not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
