import { rm } from 'node:fs/promises'
import type { TokenFile } from '@agent-service/sdk/services/ephemeral-tokens'
import { renewFrom, type TokenKeeping } from './keep-token.js'
import { tokenFilePath, writeTokenFile } from './write-token-file.js'

/** Keeps a valid token in a file; see `EphemeralTokens.keepTokenFile`. */
export async function keepTokenFile(keeping: TokenKeeping, { folder, name }: { folder: string; name: string }): Promise<TokenFile> {
  keeping.signal.throwIfAborted()
  const path = await tokenFilePath(folder, name)
  const first = await keeping.next()
  await writeTokenFile(path, first.token)
  const place = { replace: (token: string) => writeTokenFile(path, token), remove: () => rm(path, { force: true }) }
  return { path, ended: renewFrom(first, keeping, place) }
}
