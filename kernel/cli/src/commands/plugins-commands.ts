import type { DiscoveredPlugin } from '@agent-service/kernel-core/plugins'
import type { JsonObject } from '@agent-service/sdk'
import { prepare } from '../composition/prepare.js'
import { tableLines } from '../terminal/table.js'
import { styled } from '../terminal/terminal.js'
import { type ApiClient, createApiClient } from './api-client.js'
import type { Outcome } from './command-action.js'
import { serviceUnreachableError } from './errors.js'
import type { Invocation } from './invocation.js'
import type { RemoteOptions } from './options.js'
import { readItems } from './read-items.js'
import { namedUrl, serviceUrl } from './service-url.js'
import { signIn } from './sign-in.js'

/**
 * Lists plugins: those of the running service with their states, or without one, from the
 * manifests. @throws `service_unreachable` if an address is named at which there is none.
 */
export async function listPlugins(invocation: Invocation, options: RemoteOptions & { readonly offline?: boolean }): Promise<Outcome> {
  const running = options.offline === true ? undefined : await fromService(invocation, options)
  const items = running ?? (await fromManifests(invocation))
  const rows = items.flatMap(rowsOf)
  return {
    json: { running: running !== undefined, items },
    lines: [
      ...(running ? [] : [styled('dim', 'Read from the manifests, not from a running service.')]),
      ...tableLines([['PLUGIN', 'VERSION', 'STATE', 'START', 'SOURCE', 'REASON'], ...rows], {
        columns: invocation.terminal.columns(),
        whole: ['PLUGIN'],
      }),
    ],
  }
}

/** A plugin of the table: a row, and one more for each further problem. */
function rowsOf({ id, version, state, started_ms: startedMs, source, reason, problems }: JsonObject): readonly (readonly string[])[] {
  const [first = String(reason ?? ''), ...more] = Array.isArray(problems) ? problems.map(String) : []
  const start = typeof startedMs === 'number' ? `${startedMs} ms` : ''
  return [[String(id), String(version), String(state), start, String(source), first], ...more.map((line) => ['', '', '', '', '', line])]
}

/** Enables or disables a plugin of the running service. */
export async function switchPlugin(
  invocation: Invocation,
  action: 'enable' | 'disable',
  id: string,
  options: RemoteOptions,
): Promise<Outcome> {
  const client = createApiClient(await serviceUrl(invocation, options.url))
  await signInAs(client, invocation, options)
  const answer = (await client.request('POST', `/api/admin/plugins/${encodeURIComponent(id)}/${action}`)) as JsonObject
  const stopped = ((answer['stopped'] ?? []) as readonly string[]).filter((other) => other !== id)
  return { json: answer, lines: [`${id} was ${action}d.${stopped.length > 0 ? ` Also stopped: ${stopped.join(', ')}.` : ''}`] }
}

const signInAs = (client: ApiClient, { terminal, environment }: Invocation, { username }: RemoteOptions): Promise<string> =>
  signIn(client, terminal, environment, { mayRegister: false, ...(username === undefined ? {} : { username }) })

/** The plugins of the running service, all pages; `undefined` if no service is running. */
async function fromService(invocation: Invocation, options: RemoteOptions): Promise<readonly JsonObject[] | undefined> {
  const client = createApiClient(await serviceUrl(invocation, options.url))
  try {
    await client.request('GET', '/api/version')
  } catch (error) {
    if (serviceUnreachableError.isInstance(error) && namedUrl(invocation.environment, options.url) === undefined) return undefined
    throw error
  }
  await signInAs(client, invocation, options)
  return readItems(client, '/api/admin/plugins')
}

async function fromManifests({ installation, environment, workingDirectory }: Invocation): Promise<readonly JsonObject[]> {
  const { discovered } = await prepare({ ...installation, environment, workingDirectory })
  return discovered.map((plugin) => {
    const { id, version, source } = plugin
    const reason = plugin.status === 'invalid' ? plugin.reason : (plugin.notGranted ?? null)
    const problems = plugin.status === 'invalid' ? [...plugin.problems] : [reason ?? []].flat()
    return { id, version, source, state: stateOf(plugin), reason, problems, started_ms: null }
  })
}

function stateOf(plugin: DiscoveredPlugin): 'invalid' | 'declared' | 'discovered' | 'disabled' {
  if (plugin.status === 'invalid') return 'invalid'
  if (plugin.manifest.stage === 'declared') return 'declared'
  return plugin.notGranted === undefined ? 'discovered' : 'disabled'
}
