import path from 'node:path'
import { requestedAccess, ungranted } from '@agent-service/kernel-core/plugins/installed'
import type { JsonObject } from '@agent-service/sdk'
import { ask, styled } from '../../terminal/terminal.js'
import { visibleLine } from '../../terminal/visible-text.js'
import type { Outcome, OutputOptions } from '../command-action.js'
import { exitStatus } from '../exit-status.js'
import type { Invocation } from '../invocation.js'
import { findInstalled, grantPlugin, type InstalledManifest, installPlugin, removePlugin } from './install-plugin.js'
import { validateFolder } from './validate-folder.js'

interface ConsentOptions extends OutputOptions {
  /** Grants what the plugin asks for without a question. */
  readonly yes?: boolean
}

/** What a grant is, and what it is not. */
const consentNote = [
  'A grant is your consent, recorded in the audit log. It is not a sandbox: once the plugin runs, its code can do whatever the service can,',
  'with all files, secrets, programs and addresses that the service reaches, listed here or not. The service holds it to what it adds, provides',
  'and uses, and to its network addresses where it sends requests through the service; nothing holds it to the rest.',
].join(' ')

/** `agent-service plugins install <source>`. */
export async function install(invocation: Invocation, source: string, options: ConsentOptions): Promise<Outcome> {
  const { installed, plugin } = await installPlugin(source, invocation)
  const covered = isGranted({ installed, plugin })
  if (options.json !== true) {
    invocation.terminal.line(`Installed ${plugin.id} ${plugin.version} (${installed.package}).`)
    showReaches(invocation, plugin)
  }
  const grants = covered || (await asksForGrant(invocation, options))
  const now = grants ? (await grantPlugin(plugin, invocation, 'plugins install')).installed : installed
  return outcomeOf({ installed: now, plugin }, { isNews: !covered })
}

/** `agent-service plugins grant <id>`. */
export async function grant(invocation: Invocation, id: string, options: ConsentOptions): Promise<Outcome> {
  const { installed, plugin } = await findInstalled(id, invocation)
  if (options.json !== true) showReaches(invocation, plugin)
  const grants = await asksForGrant(invocation, options)
  const now = grants ? (await grantPlugin(plugin, invocation, 'plugins grant')).installed : installed
  return outcomeOf({ installed: now, plugin }, { isNews: true })
}

/** `agent-service plugins remove <id>`. */
export async function remove(invocation: Invocation, id: string): Promise<Outcome> {
  const { version } = await removePlugin(id, invocation)
  return {
    json: { id, version, removed: true },
    lines: [`Removed ${id} ${version}. Its data in the database stays. Restart the service if it runs.`],
  }
}

/** `agent-service plugins create <kind> [folder]`: the same as `agent-service-plugin init`. */
export async function create({ workingDirectory }: Invocation, kind: string, folder = '.'): Promise<Outcome> {
  const { initPlugin } = await import('@agent-service/sdk/author')
  const created = await initPlugin(kind, path.resolve(workingDirectory, folder))
  const enter = folder === '.' ? '' : `cd ${folder} && `
  return { json: created, lines: [`${created.id}: wrote ${created.files.join(', ')}`, `Next: ${enter}npm install && npm test`] }
}

/** `agent-service plugins validate <folder>`. */
export async function validate(
  invocation: Invocation,
  folder: string,
  options: OutputOptions & { readonly config?: string },
): Promise<Outcome> {
  const verdict = await validateFolder(folder, { ...invocation, settingsFile: options.config })
  const { id, version, problems, setup } = verdict
  if (options.json !== true) for (const problem of problems) invocation.terminal.problem(visibleLine(`${id}: ${problem}`))
  const notRun = setup?.outcome === 'not_run' ? [visibleLine(`Setup was not tried: ${setup.reason}`)] : []
  return {
    status: problems.length === 0 ? exitStatus.done : exitStatus.failed,
    json: verdict,
    lines: problems.length > 0 ? [] : [...notRun, `${id} ${version}: this service would load it.`],
  }
}

function showReaches({ terminal }: Invocation, { manifest }: InstalledManifest['plugin']): void {
  const reaches = requestedAccess(manifest)
  terminal.line(reaches.length === 0 ? 'It asks for nothing.' : 'It asks for:')
  for (const reach of reaches) terminal.line(`  ${reach}`)
  for (const { kind, reason } of manifest.permissions ?? []) terminal.line(styled('dim', `  (${kind}: ${reason})`))
  terminal.line(consentNote)
}

/**
 * Whether to grant it: `--yes`, or the answer to a question. Without a terminal the answer is no.
 */
async function asksForGrant({ terminal }: Invocation, options: ConsentOptions): Promise<boolean> {
  if (options.yes === true) return true
  if (!terminal.interactive || options.json === true) return false
  const answer = await ask(terminal, 'Grant this? [y/N]', { instead: 'Pass --yes.' })
  return /^y(es)?$/i.test(answer.trim())
}

const isGranted = ({ installed, plugin }: InstalledManifest): boolean =>
  installed.grant !== undefined && ungranted(installed, plugin.manifest).length === 0

/** `isNews`: it was not granted before. */
function outcomeOf({ installed, plugin }: InstalledManifest, { isNews }: { readonly isNews: boolean }): Outcome {
  const granted = isGranted({ installed, plugin })
  const { id, version } = plugin
  const json: JsonObject = { id, version, package: installed.package, integrity: installed.integrity }
  const restart = isNews
    ? 'Granted. Restart the service to run it.'
    : 'The earlier grant covers it. Restart the service to run this version.'
  return {
    json: { ...json, reaches: requestedAccess(plugin.manifest), granted, note: consentNote },
    lines: granted
      ? [restart]
      : [
          `It does not run until you grant it: agent-service plugins grant ${id}`,
          ...(installed.grant === undefined
            ? []
            : ['A service that runs now goes on with the version that it has loaded until it is restarted.']),
        ],
  }
}
