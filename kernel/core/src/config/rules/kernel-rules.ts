import { isAbsolute } from 'node:path'
import type { ConfigurationFinding } from '@agent-service/sdk'
import { suggestion } from '@agent-service/sdk/host'
import type { KernelSections } from '../effective/configuration.js'
import { developmentEncryptionSecret } from '../sections/index.js'
import { placementFindings, protectedPaths } from './placement-rules.js'

export interface KernelFacts {
  /** `NODE_ENV` is `production`. */
  readonly production: boolean
  /** Ids of all discovered plugins; absent before discovery. */
  readonly pluginIds: readonly string[]
  /** `SERVICE_SERVER_DATA_DIR`, absolute. */
  readonly serverDataDir: string
  /** The path of the configuration file, existing or not; absolute. */
  readonly configurationFile: string
}

export function kernelRules(sections: KernelSections, facts: KernelFacts): readonly ConfigurationFinding[] {
  return [
    ...encryptionSecret(sections, facts),
    ...plainHttp(sections),
    ...pathsOfAddresses(sections),
    ...placements(sections, facts),
    ...plugins(sections, facts),
  ]
}

function encryptionSecret({ auth, server }: KernelSections, { production }: KernelFacts): readonly ConfigurationFinding[] {
  if (auth.encryption_secret !== developmentEncryptionSecret) return []
  const path = 'auth.encryption_secret'
  const mend =
    'Set SERVICE_AUTH_ENCRYPTION_SECRET to a random value (openssl rand -base64 32) and keep it with the backups of the database.'
  if (production) return [{ path, message: `the built-in development secret is refused with NODE_ENV=production. ${mend}` }]
  if (!isLoopbackHost(server.host))
    return [{ path, message: `the built-in development secret is refused while server.host (${server.host}) is not loopback. ${mend}` }]
  return [
    {
      path,
      severity: 'warning',
      message: `the built-in development secret is in use: everyone with access to the files can read stored secrets. ${mend}`,
    },
  ]
}

/** True for an address or name that only this machine can reach. */
export const isLoopbackHost = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host)

/**
 * Over plain http, browsers keep the session cookie on the machine itself at best. Without a word, a sign-in that
 * succeeds and is forgotten at once looks like a wrong password.
 */
function plainHttp({ server }: KernelSections): readonly ConfigurationFinding[] {
  const pages = server.frontend_url === undefined ? 'base_url' : 'frontend_url'
  const api = server.backend_url === undefined ? 'base_url' : 'backend_url'
  const fields = [...new Set([pages, api] as const)].filter((field) => server[field] !== undefined)
  const warning = (field: string, found: string): ConfigurationFinding => ({
    path: `server.${field}`,
    severity: 'warning',
    message: `${found}. Browsers keep the session cookie only over https, and most of them at localhost, so people cannot stay signed in from other machines. Ways to https, also at home, are in operations.md, “At home, over plain http”`,
  })
  const plain = fields.filter((field) => isPlainElsewhere(server[field] ?? ''))
  if (plain.length > 0) return plain.map((field) => warning(field, 'begins with http:// and is not this machine'))
  const hasHttps = [...fields.map((field) => server[field]), server.external_url].some((url) => url?.startsWith('https://'))
  if (isLoopbackHost(server.host) || hasHttps) return []
  return [warning('host', `${server.host} is reached from other machines, and server.base_url names no https address`)]
}

function isPlainElsewhere(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !isLoopbackHost(hostname.replace(/^\[(.*)\]$/, '$1')) && !hostname.endsWith('.localhost')
}

/** First segments of the service's own paths and of its page's files: which of two is meant cannot be told below one. */
const ownSegments = /^\/(?:api|v1|s|p|\.well-known|healthz|readyz|metrics|assets)(?=\/|$)/

function pathsOfAddresses({ server }: KernelSections): readonly ConfigurationFinding[] {
  return (['base_url', 'backend_url', 'frontend_url', 'external_url'] as const).flatMap((field) => {
    const url = server[field]
    const reason = url !== undefined && URL.canParse(url) ? reasonAgainstPath(new URL(url).pathname) : undefined
    if (reason === undefined) return []
    const message = `its path ${reason}, so parts of the service do not work below it. Choose another path, or give the address without one; see http.md, “Below a path”`
    return [{ path: `server.${field}`, severity: 'warning' as const, message }]
  })
}

function reasonAgainstPath(path: string): string | undefined {
  const [own] = ownSegments.exec(path) ?? []
  if (own !== undefined) return `begins with “${own}”, which is a path of the service itself`
  if (path.includes('//')) return 'has “//”, which browsers read as the beginning of a host'
  return path.includes(';') ? 'has “;”, which cookies cannot name' : undefined
}

const placements = (sections: KernelSections, { serverDataDir, configurationFile }: KernelFacts): readonly ConfigurationFinding[] =>
  placementFindings(sections, protectedPaths(sections, serverDataDir, configurationFile))

function plugins({ plugins: section }: KernelSections, { pluginIds }: KernelFacts): readonly ConfigurationFinding[] {
  const findings: ConfigurationFinding[] = []
  section.sources.forEach((source, index) => {
    if (isAbsolute(source) || /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(source)) return
    findings.push({
      path: `plugins.sources[${index}]`,
      message: `expected the name of an npm package or an absolute folder, found “${source}”`,
    })
  })
  for (const list of ['required', 'disabled'] as const) {
    section[list].forEach((id, index) => {
      if (pluginIds.includes(id)) return
      const message = `no source has the plugin “${id}”${suggestion(id, pluginIds)}`
      findings.push({ path: `plugins.${list}[${index}]`, severity: 'warning', message })
    })
  }
  for (const id of section.required.filter((required) => section.disabled.includes(required)))
    findings.push({ path: 'plugins.required', message: `“${id}” is both required and disabled; remove it from one of the lists` })
  for (const id of Object.keys(section.settings).filter((name) => !pluginIds.includes(name))) {
    const message = `no source has a plugin with this id, so it has no effect${suggestion(id, pluginIds)}`
    findings.push({ path: `plugins.settings.${id}`, severity: 'warning', message })
  }
  return findings
}
