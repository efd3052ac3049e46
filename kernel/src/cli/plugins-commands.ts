import type { JsonObject } from '@agent-service/sdk'
import { prepare } from '../composition/prepare.js'
import { createApiClient } from './api-client.js'
import { serviceUnreachableError } from './errors.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { signIn } from './sign-in.js'
import { tableLines } from './table.js'

interface RemoteOptions {
  readonly url: string
  readonly username?: string
  readonly json?: boolean
}

/** Lists plugins: those of the running service with their states, or what the manifests say where none runs. */
export async function pluginsListCommand(
  input: Invocation & { readonly options: RemoteOptions & { readonly offline?: boolean } },
): Promise<number> {
  const { terminal, options } = input
  const { plugins, offline } =
    options.offline === true ? { plugins: await fromManifests(input), offline: true } : await fromServiceOrManifests(input)
  if (options.json === true) {
    terminal.line(JSON.stringify({ running: !offline, items: plugins }, null, 2))
    return exitStatus.done
  }
  if (offline) terminal.line(terminal.style('dim', 'The service was not asked; this is what the manifests say.'))
  const rows = plugins.map((plugin) => [
    String(plugin['id']),
    String(plugin['version']),
    String(plugin['state']),
    typeof plugin['started_ms'] === 'number' ? `${plugin['started_ms']} ms` : '',
    String(plugin['source']),
    String(plugin['reason'] ?? ''),
  ])
  for (const line of tableLines([['PLUGIN', 'VERSION', 'STATE', 'START', 'SOURCE', 'REASON'], ...rows])) terminal.line(line)
  return exitStatus.done
}

/** Switches a plugin of the running service on or off. */
export async function pluginsSwitchCommand(
  input: Invocation & { readonly action: 'enable' | 'disable'; readonly id: string; readonly options: RemoteOptions },
): Promise<number> {
  const { terminal, environment, action, id, options } = input
  const client = createApiClient(options.url)
  await signIn(client, terminal, environment, {
    mayRegister: false,
    ...(options.username === undefined ? {} : { username: options.username }),
  })
  const answer = (await client.request('POST', `/api/admin/plugins/${encodeURIComponent(id)}/${action}`)) as JsonObject
  if (options.json === true) terminal.line(JSON.stringify(answer, null, 2))
  else {
    const stopped = Array.isArray(answer['stopped']) ? (answer['stopped'] as readonly string[]).filter((other) => other !== id) : []
    terminal.line(`${id} was ${action}d.${stopped.length > 0 ? ` With it stopped: ${stopped.join(', ')}.` : ''}`)
  }
  return exitStatus.done
}

async function fromServiceOrManifests(
  input: Invocation & { readonly options: RemoteOptions },
): Promise<{ readonly plugins: readonly JsonObject[]; readonly offline: boolean }> {
  const client = createApiClient(input.options.url)
  try {
    await client.request('GET', '/api/version')
  } catch (error) {
    if (!serviceUnreachableError.isInstance(error)) throw error
    return { plugins: await fromManifests(input), offline: true }
  }
  const { username } = input.options
  await signIn(client, input.terminal, input.environment, { mayRegister: false, ...(username === undefined ? {} : { username }) })
  const plugins: JsonObject[] = []
  let cursor: unknown = null
  do {
    const query = typeof cursor === 'string' ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const page = (await client.request('GET', `/api/admin/plugins?limit=200${query}`)) as JsonObject
    plugins.push(...((page['items'] ?? []) as readonly JsonObject[]))
    cursor = page['next_cursor']
  } while (typeof cursor === 'string')
  return { plugins, offline: false }
}

async function fromManifests(invocation: Invocation): Promise<readonly JsonObject[]> {
  const { discovered } = await prepare({
    ...invocation.installation,
    environment: invocation.environment,
    workingDirectory: invocation.workingDirectory,
  })
  return discovered.map((plugin) => ({
    id: plugin.id,
    version: plugin.version,
    source: plugin.source,
    state:
      plugin.status === 'invalid'
        ? 'invalid'
        : plugin.manifest.stage === 'declared'
          ? 'declared'
          : plugin.notGranted === undefined
            ? 'discovered'
            : 'disabled',
    reason: plugin.status === 'invalid' ? plugin.reason : (plugin.notGranted ?? null),
    started_ms: null,
  }))
}
