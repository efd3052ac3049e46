import type { ResponseHeaders } from '../transport/upstream-response.js'

const names = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid', 'cf-ray'] as const

/** The vendor's name for a request, from the head of its answer, cut at 200 characters. */
export const requestIdOf = (headers: ResponseHeaders): string | undefined =>
  names
    .map((name) => headers.get(name))
    .find((value) => value !== null && value !== '')
    ?.slice(0, 200)
