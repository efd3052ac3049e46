import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withFileLock } from '@agent-service/kernel-core/disk'
import { type InstalledPlugins, listFile } from '@agent-service/kernel-core/plugins/installed'
import { installationBusyError } from './errors.js'

/**
 * Runs work while no other process changes the installed plugins of a folder. @throws
 * `plugin_installation_busy` after `timeoutMs`.
 */
export async function withInstallationLock<Result>(folder: string, timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const onTimeout = (): Error => installationBusyError.create({ folder, waitedMs: timeoutMs }, { retryAfterSeconds: 1 })
  return withFileLock(path.join(folder, 'installed.lock'), { timeoutMs, onTimeout }, work)
}

/** Replaces the list of installed plugins in one step. */
export async function writeInstalled(folder: string, plugins: InstalledPlugins): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = listFile(folder)
  const draft = `${file}.${process.pid}.draft`
  await writeFile(draft, `${JSON.stringify({ version: 1, plugins }, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}
