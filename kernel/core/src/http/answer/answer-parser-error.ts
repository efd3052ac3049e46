import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { type ProblemDocument, problemContentType } from './problem.js'

const answers: Readonly<Record<string, { readonly status: number; readonly code: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', detail: 'The headers of the request are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'body_too_large', detail: 'The chunk extensions of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', detail: 'The request did not arrive in time.' },
}

const malformed = { status: 400, code: 'invalid_request_head', detail: 'The request is not valid HTTP.' }

/**
 * Answers bytes that are not a valid request, with the headers of every response, and closes the
 * connection. Call it only while nothing else is being written to the socket.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex, headers: Readonly<Record<string, string>>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, code, detail } = answers[error.code ?? ''] ?? malformed
  const requestId = uuidv7()
  const title = STATUS_CODES[status] ?? 'Bad Request'
  const document: ProblemDocument = { type: 'about:blank', title, status, detail, code, request_id: requestId }
  const body = JSON.stringify(document)
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      'connection: close',
      `content-type: ${problemContentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `x-request-id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  )
}
