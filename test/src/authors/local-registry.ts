import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A registry of packages on this machine, so that `npm install` works as on any other and needs no
 * network.
 */
export interface LocalRegistry {
  /** For `npm_config_registry`. */
  readonly url: string
  close(): Promise<void>
}

/** Packages that lie under another name: TypeScript is there twice, and plugins take the one that compiles this repository. */
const foldersOf: Readonly<Record<string, string>> = { typescript: 'typescript-7' }

/** Serves the packages of a `node_modules` folder, each in one version that is there. */
export async function startLocalRegistry(modules: string): Promise<LocalRegistry> {
  const server = createServer((request, response) => {
    const [place = '', query] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('?')
    const answer = query === 'archive' ? archiveOf(modules, place) : descriptionOf(modules, place, url())
    answer.then(
      (body) => response.writeHead(200).end(body),
      (error: unknown) => response.writeHead(404).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url: url(),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

async function descriptionOf(modules: string, name: string, url: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(modules, foldersOf[name] ?? name, 'package.json'), 'utf8')) as Readonly<
    Record<string, string>
  >
  const version = String(manifest['version'])
  const dist = { tarball: `${url}${encodeURIComponent(name)}?archive` }
  return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } })
}

async function archiveOf(modules: string, name: string): Promise<Buffer> {
  const folder = path.join(modules, foldersOf[name] ?? name)
  const words = ['-c', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.']
  // Packed without effort: it is unpacked at once.
  const { stdout } = await run('tar', ['-I', 'gzip -1', ...words], { encoding: 'buffer', maxBuffer: 100 * 1_024 * 1_024 })
  return stdout
}
