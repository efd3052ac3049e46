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

/** The options for a token file. */
export interface KeptTokenFile {
  readonly folder: string
  readonly name: string
  readonly clock: Clock
  readonly log: Logger
  /** Ends it from outside. */
  readonly signal: AbortSignal
  /** Aborted when the account or its sessions end. */
  readonly credentialRevoked: AbortSignal
  /**
   * Returns the next token. @throws `not_found` if the account is deleted or disabled; any other
   * error is retried.
   */
  next(): Promise<NextToken>
  /** Called once, after the file was removed. */
  finished(end: TokenFileEnd): Promise<void>
}

/**
 * Keeps a valid token in a file; see `EphemeralTokens.keepTokenFile`. A token is replaced at half
 * of its lifetime, so a failing database has the other half to recover.
 */
export async function keepTokenFile(options: KeptTokenFile): Promise<TokenFile> {
  const { folder, name, clock, log, signal, credentialRevoked, next } = options
  signal.throwIfAborted()
  const path = await tokenFilePath(folder, name)
  const first = await next()
  await writeTokenFile(path, first.token)

  const stop = AbortSignal.any([signal, credentialRevoked])
  /**
   * Replaces the token; returns the pause until the next renewal, or `undefined` if the grant has
   * ended.
   */
  const renew = async (): Promise<number | undefined> => {
    try {
      const token = await next()
      if (token.epoch !== first.epoch) return undefined
      await writeTokenFile(path, token.token)
      return halfOf(token, clock)
    } catch (error) {
      if (notFoundError.isInstance(error)) return undefined
      log.warn('A token file could not be renewed; the service will try again.', { error })
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
      await undo().catch((error: unknown) => log.warn('A token file was not removed cleanly.', { error }))
    }
    return end
  })
  return { path, ended }
}

const halfOf = ({ expiresAt }: SignedToken, clock: Clock): number => Math.max(minPauseMs, (expiresAt - clock.now()) / 2)
