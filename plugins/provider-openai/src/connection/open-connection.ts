import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { Refusal } from '@agent-service/sdk/provider-kit'
import { exchangeAddress, isGitHubToken } from '../copilot/copilot-addresses.js'
import { copilotHeaders } from '../copilot/copilot-headers.js'
import type { CopilotToken, CopilotTokens, Exchange } from '../copilot/copilot-tokens.js'
import type { ConnectionQuirks } from './connection-quirks.js'

/** How one call reaches its endpoint. */
export interface OpenConnection {
  /**
   * Address and headers, including the key. @throws a call failure if no token is available, or the
   * signal's reason.
   */
  reach(signal: AbortSignal): Promise<{ readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> }>
  /** Examines a refusal; true if the next `reach` returns another token, once for a call. */
  renew(refusal: Refusal): boolean
  /** Further secret tokens of this call. */
  secrets(): readonly string[]
}

/** Opens the connection of one call. */
export function openConnection(request: ModelRequest, quirks: ConnectionQuirks, tokens: CopilotTokens): OpenConnection {
  const { apiKey, baseUrl } = request.connection
  const isCopilot = quirks.service === 'github-copilot'
  const exchange: Exchange | undefined =
    isCopilot && apiKey !== undefined && isGitHubToken(apiKey)
      ? { gitHubToken: apiKey, baseUrl, url: quirks.tokenUrl ?? exchangeAddress(baseUrl), headers: quirks.headers }
      : undefined
  let taken: CopilotToken | undefined
  let renewed = false
  return {
    async reach(signal) {
      taken = exchange && (await tokens.take(exchange, signal))
      return {
        baseUrl: taken?.baseUrl ?? baseUrl,
        headers: {
          ...quirks.headers,
          ...(isCopilot && copilotHeaders(request)),
          ...credentialHeaders(taken?.token ?? apiKey, quirks),
        },
      }
    },
    renew({ status }) {
      if (status !== 401 || !exchange || !taken || renewed) return false
      renewed = true
      tokens.forget(exchange, taken.token)
      return true
    },
    secrets: () => (taken ? [taken.token] : []),
  }
}

/**
 * The header with the key, as the brand requires it. A key with the prefix `Bearer` stays
 * unchanged.
 */
function credentialHeaders(key: string | undefined, { auth }: Pick<ConnectionQuirks, 'auth'>): Readonly<Record<string, string>> {
  if (key === undefined || auth === 'none') return {}
  if (auth === 'api-key') return { 'api-key': key }
  return { authorization: /^Bearer /i.test(key) ? key : `Bearer ${key}` }
}
