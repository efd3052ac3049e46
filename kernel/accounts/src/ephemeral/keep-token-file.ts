import { rm } from 'node:fs/promises'
import type { Logger } from '@agent-service/sdk'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { TokenFile, TokenFileEnd } from '@agent-service/sdk/services/ephemeral-tokens'
import type { SignedToken } from '../keys/signed-tokens.js'
import { tokenFilePath, writeTokenFile } from './write-token-file.js'

const minPauseMs = 100
const retryPauseMs = 1_000

/** A token for the file, and the epoch of its user's sessions. */
export interface NextToken extends SignedToken {
  readonly epoch: number
}

/** What keeping a file takes. */
export interface KeptTokenFile {
  readonly folder: string
  readonly name: string
  readonly clock: Clock
  readonly log: Logger
  /** Ends it from outside. */
  readonly signal: AbortSignal
  /** Aborted when the account or its sessions were ended. */
  readonly credentialRevoked: AbortSignal
  /** Another token. @throws `not_found` when the account is gone or disabled; after any other error it is asked again. */
  next(): Promise<NextToken>
  /** Called once, after the file was removed. */
  finished(end: TokenFileEnd): Promise<void>
}

/**
 * Keeps a token that counts in a file; see `EphemeralTokens.keepTokenFile`. A token is replaced when half of its time is over, so a failing store has the
 * other half to recover.
 */
export async function keepTokenFile(options: KeptTokenFile): Promise<TokenFile> {
  const { folder, name, clock, log, signal, credentialRevoked, next } = options
  signal.throwIfAborted()
  const path = await tokenFilePath(folder, name)
  const first = await next()
  await writeTokenFile(path, first.token)

  const stop = AbortSignal.any([signal, credentialRevoked])
  /** Another token in the file, and how long it is good for; `undefined` when there is none for this grant any more. */
  const renew = async (): Promise<number | undefined> => {
    try {
      const token = await next()
      if (token.epoch !== first.epoch) return undefined
      await writeTokenFile(path, token.token)
      return halfOf(token, clock)
    } catch (error) {
      if (notFoundError.isInstance(error)) return undefined
      log.warn('A token file could not be renewed; it is tried again.', { error })
      return retryPauseMs
    }
  }
  const keep = async (): Promise<void> => {
    let pause: number | undefined = halfOf(first, clock)
    while (pause !== undefined) {
      const waited: boolean = await clock.wait(pause, { signal: stop }).then(
        () => true,
        () => false,
      )
      pause = waited ? await renew() : undefined
    }
  }
  const ended = keep().then(async (): Promise<TokenFileEnd> => {
    const end = signal.aborted ? 'aborted' : 'account_ended'
    for (const undo of [() => rm(path, { force: true }), () => options.finished(end)]) {
      await undo().catch((error: unknown) => log.warn('The end of a token file did not go in order.', { error }))
    }
    return end
  })
  return { path, ended }
}

const halfOf = ({ expiresAt }: SignedToken, clock: Clock): number => Math.max(minPauseMs, (expiresAt - clock.now()) / 2)
