import type { Logger } from '@agent-service/sdk'
import { type ClientAuthenticationMethod, clientAuthenticationMethods, isClientRefused } from '@agent-service/sdk/oauth-client'
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { OpenIdClient } from './provider-connection.js'
import { ClientRefusedError, refusalIn } from './sign-in-error.js'
import type { WorkingMethod } from './working-method.js'

/** What the provider gives for a code. */
export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** How this service may authenticate. */
export interface ClientOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** `sso.token_endpoint_auth_method`; undefined: whichever works. */
  readonly method: 'client_secret_basic' | 'client_secret_post' | undefined
  readonly worked: WorkingMethod
  readonly log: Pick<Logger, 'info'>
}

/** The exchange itself, at an open provider. */
export interface CodeExchange {
  readonly client: OpenIdClient
  /** `token_endpoint_auth_methods_supported`. */
  readonly offered: readonly string[] | undefined
  readonly exchange: (method: ClientAuthenticationMethod) => Promise<Tokens>
}

/**
 * Exchanges a code, with each method by which the provider may take the client. Some providers use up the code together with
 * a refused client: `code_used` then, if the last method was not refused. What works is remembered.
 * @throws {@link ClientRefusedError} if none works, or the error of the library.
 */
export async function exchangeCode(
  { clientId, clientSecret, method, worked, log }: ClientOptions,
  { client, offered, exchange }: CodeExchange,
): Promise<Tokens | 'code_used'> {
  const known = await worked.get()
  const methods = clientAuthenticationMethods({ clientId, clientSecret }, { method, offered, worked: known })
  const tried: ClientAuthenticationMethod[] = []
  let refused: unknown
  for (const each of methods) {
    try {
      tried.push(each)
      const tokens = await exchange(each)
      if (each !== known) {
        await worked.remember(each)
        if (tried.length > 1)
          log.info('The identity provider takes this service by another method than the first.', { method: each, tried })
      }
      return tokens
    } catch (error) {
      const refusal = await refusalIn(error, client)
      if (refusal !== undefined && isClientRefused(refusal)) {
        refused ??= error
        continue
      }
      if (tried.length === 1 || refusal?.code !== 'invalid_grant') throw error
      await worked.remember(each)
      return 'code_used'
    }
  }
  throw new ClientRefusedError({ tried, offered }, { cause: refused })
}
