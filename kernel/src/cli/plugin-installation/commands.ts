import path from 'node:path'
import { reachesOf, ungranted } from '../../plugins/installed/index.js'
import { exitStatus } from '../exit-status.js'
import type { Invocation } from '../invocation.js'
import { ask } from '../terminal.js'
import { findInstalled, grantPlugin, type InstalledManifest, installPlugin, removePlugin } from './install-plugin.js'
import { validateFolder } from './validate-folder.js'

interface ConsentOptions {
  /** Grants what the plugin reaches for without asking. */
  readonly yes?: boolean
  readonly json?: boolean
}

const consentNote = 'In-process permissions are consent and audit, no sandbox: a plugin that runs can do what the service can.'

/** `agent-service plugins install <source>`. */
export async function pluginsInstallCommand(
  invocation: Invocation & { readonly source: string; readonly options: ConsentOptions },
): Promise<number> {
  const { terminal, source, options } = invocation
  const { installed, plugin } = await installPlugin(source, invocation)
  const open = ungranted(installed, plugin.manifest)
  const isGranted = installed.grant !== undefined && open.length === 0
  if (options.json !== true) {
    terminal.line(`Installed ${plugin.id} ${plugin.version} (${installed.package}).`)
    showReaches(invocation, { installed, plugin })
  }
  const granted =
    isGranted || (await asksForGrant(invocation)) ? (await grantPlugin(plugin.id, invocation, 'plugins install')).installed : installed
  return conclude(invocation, { installed: granted, plugin }, installed.grant === undefined || !isGranted)
}

/** `agent-service plugins grant <id>`. */
export async function pluginsGrantCommand(
  invocation: Invocation & { readonly id: string; readonly options: ConsentOptions },
): Promise<number> {
  const { id, options } = invocation
  const found = await findInstalled(id, invocation)
  if (options.json !== true) showReaches(invocation, found)
  const granted = (await asksForGrant(invocation)) ? (await grantPlugin(id, invocation, 'plugins grant')).installed : found.installed
  return conclude(invocation, { installed: granted, plugin: found.plugin }, true)
}

/** `agent-service plugins remove <id>`. */
export async function pluginsRemoveCommand(
  invocation: Invocation & { readonly id: string; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, id, options } = invocation
  const removed = await removePlugin(id, invocation)
  if (options.json === true) terminal.line(JSON.stringify({ id, version: removed.version, removed: true }, null, 2))
  else terminal.line(`Removed ${id} ${removed.version}. What it keeps in the database stays. Restart the service, if it runs.`)
  return exitStatus.done
}

/** `agent-service plugins create <kind> [folder]`: what `agent-service-plugin init` does for an author. */
export async function pluginsCreateCommand(
  invocation: Invocation & { readonly kind: string; readonly folder: string; readonly options: { readonly json?: boolean } },
): Promise<number> {
  const { terminal, kind, folder, options, workingDirectory } = invocation
  const { initPlugin } = await import('@agent-service/sdk/author')
  const created = await initPlugin(kind, path.resolve(workingDirectory, folder))
  if (options.json === true) terminal.line(JSON.stringify(created, null, 2))
  else {
    terminal.line(`${created.id}: wrote ${created.files.join(', ')}`)
    terminal.line(`Next: ${folder === '.' ? '' : `cd ${folder} && `}npm install && npm test`)
  }
  return exitStatus.done
}

/** `agent-service plugins validate <folder>`. */
export async function pluginsValidateCommand(
  invocation: Invocation & { readonly folder: string; readonly options: { readonly json?: boolean; readonly config?: string } },
): Promise<number> {
  const { terminal, folder, options } = invocation
  const verdict = await validateFolder(folder, { ...invocation, settingsFile: options.config })
  const { id, version, problems, setup } = verdict
  if (options.json === true) terminal.line(JSON.stringify(verdict, null, 2))
  else if (problems.length > 0) for (const problem of problems) terminal.problem(`${id}: ${problem}`)
  else {
    if (setup?.outcome === 'not_run') terminal.line(`Setup was not tried: ${setup.reason}`)
    terminal.line(`${id} ${version}: this service would load it.`)
  }
  return problems.length === 0 ? exitStatus.done : exitStatus.failed
}

function showReaches({ terminal }: Invocation, { plugin }: InstalledManifest): void {
  const { permissions = [] } = plugin.manifest
  const reaches = reachesOf(plugin.manifest)
  terminal.line(reaches.length === 0 ? 'It reaches for nothing.' : 'It reaches for:')
  for (const reach of reaches) terminal.line(`  ${reach}`)
  for (const { kind, reason } of permissions) terminal.line(terminal.style('dim', `  (${kind}: ${reason})`))
  terminal.line(consentNote)
}

/** Whether to grant it: `--yes`, or the answer to a question. Without a terminal the answer is no. */
async function asksForGrant({ terminal, options }: Invocation & { readonly options: ConsentOptions }): Promise<boolean> {
  if (options.yes === true) return true
  if (!terminal.interactive || options.json === true) return false
  const answer = await ask(terminal, 'Grant this? [y/N]', { instead: 'Say --yes.' })
  return /^y(es)?$/i.test(answer.trim())
}

function conclude(
  { terminal, options }: Invocation & { readonly options: ConsentOptions },
  { installed, plugin }: InstalledManifest,
  isNews: boolean,
): number {
  const granted = installed.grant !== undefined && ungranted(installed, plugin.manifest).length === 0
  if (options.json === true) {
    const { id, version } = plugin
    const result = { id, version, package: installed.package, integrity: installed.integrity, reaches: reachesOf(plugin.manifest), granted }
    terminal.line(JSON.stringify({ ...result, note: consentNote }, null, 2))
  } else if (granted)
    terminal.line(
      isNews ? 'It is granted. Restart the service, and it runs.' : 'What was granted covers it. Restart the service for this version.',
    )
  else terminal.line(`It does not run before it is granted: agent-service plugins grant ${plugin.id} --yes`)
  return exitStatus.done
}
