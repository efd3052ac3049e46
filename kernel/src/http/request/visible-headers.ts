import type { IncomingMessage } from 'node:http'
import { kernelOwnerId } from '../route-table.js'
import { credentialHeaders } from './credentials.js'

/** The headers that a handler sees: no credentials; the kernel's own handlers see the cookies. */
export function visibleHeaders(request: IncomingMessage, ownerId: string): Readonly<Record<string, string>> {
  const hidden = ownerId === kernelOwnerId ? credentialHeaders.filter((name) => name !== 'cookie') : credentialHeaders
  const headers = Object.entries(request.headers).flatMap(([name, value]): readonly [string, string][] =>
    value === undefined || hidden.includes(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return Object.fromEntries(headers)
}
