/**
 * The head of an answer by name, in lower case. Of a header that came several times, all values,
 * joined by commas.
 */
export interface ResponseHeaders {
  /** The value of a header, its name in any case; null if it did not come. */
  get(name: string): string | null
}

/** An endpoint's answer: its headers, and its body as a stream. */
export interface UpstreamResponse {
  /** From 200 up. */
  readonly status: number
  /** Its head. */
  readonly headers: ResponseHeaders
  /**
   * The next bytes; `undefined` at the end of the body. One call at a time. Rejects when the
   * connection ends before the answer does, and with the reason of the call's signal once that is
   * aborted.
   */
  read(): Promise<Uint8Array | undefined>
}

/** Reads the headers that the HTTP client gives. */
export function createResponseHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): ResponseHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()]
      return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
    },
  }
}
