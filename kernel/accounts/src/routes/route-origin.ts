import { parseCookies, refreshCookieName } from '@agent-service/kernel-core/http/request'
import type { RouteRequest } from '@agent-service/sdk/contracts/http-route'
import type { SignInOrigin } from '../sessions/sign-in.js'

const maxUserAgentLength = 300

/** The origin of a sign-in request. Only routes of the kernel see the cookie. */
export function originOf({ address, headers, signal }: Pick<RouteRequest, 'address' | 'headers' | 'signal'>): SignInOrigin {
  const userAgent = (headers['user-agent'] ?? '').slice(0, maxUserAgentLength)
  return { address, userAgent, signal, earlierToken: parseCookies(headers['cookie'])[refreshCookieName] }
}
