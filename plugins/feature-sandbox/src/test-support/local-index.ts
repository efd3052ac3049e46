import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A file of a release. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly file: string
  /** When it was released; undefined: the index does not say. */
  readonly at: Date | undefined
  /** What a registry of npm says of it beside its name and version. */
  readonly manifest?: Readonly<Record<string, unknown>>
}

/** A registry of npm and an index of Python on this machine: they say when they have got each release. */
export interface LocalIndex {
  /** Where files of releases are written. */
  readonly folder: string
  readonly npm: string
  readonly python: string
  publish(...releases: readonly Release[]): void
  close(): Promise<void>
}

const simple = 'application/vnd.pypi.simple.v1+json'

export async function startLocalIndex(): Promise<LocalIndex> {
  const folder = await mkdtemp(path.join(tmpdir(), 'local-index-'))
  const releases: Release[] = []
  const server = createServer((request, response) => {
    answer(decodeURIComponent(request.url ?? ''), response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const read = (file: string): Promise<Buffer> => readFile(path.join(folder, file))

  async function answer(asked: string, response: ServerResponse): Promise<void> {
    const [, kind = '', name = ''] = asked.split('/')
    const file = /\/-\/([^/]+)$/.exec(asked)?.[1]
    if (file !== undefined) return void response.end(await read(file))
    const found = releases.filter((release) => release.name === name)
    if (found.length === 0) return void response.writeHead(404).end()
    response.setHeader('content-type', kind === 'simple' ? simple : 'application/json')
    response.end(JSON.stringify(await (kind === 'simple' ? projectOf(name, found) : packageOf(name, found))))
  }

  const projectOf = async (name: string, found: readonly Release[]): Promise<object> => ({
    ...{ meta: { 'api-version': '1.1' }, name, versions: found.map(({ version }) => version) },
    files: await Promise.all(
      found.map(async ({ file, at }) => ({
        ...{
          filename: file,
          url: `${url}/simple/${name}/-/${file}`,
          hashes: {
            sha256: createHash('sha256')
              .update(await read(file))
              .digest('hex'),
          },
        },
        ...(at && { 'upload-time': at.toISOString() }),
      })),
    ),
  })

  const packageOf = async (name: string, found: readonly Release[]): Promise<object> => ({
    ...{ name, 'dist-tags': { latest: found.at(-1)?.version } },
    time: Object.fromEntries(found.flatMap(({ version, at }) => (at ? [[version, at.toISOString()]] : []))),
    versions: Object.fromEntries(
      await Promise.all(
        found.map(async ({ version, file, manifest = {} }) => {
          const integrity = `sha512-${createHash('sha512')
            .update(await read(file))
            .digest('base64')}`
          return [version, { ...manifest, name, version, dist: { tarball: `${url}/npm/${name}/-/${file}`, integrity } }] as const
        }),
      ),
    ),
  })

  return {
    folder,
    npm: `${url}/npm/`,
    python: `${url}/simple/`,
    publish: (...more) => void releases.push(...more),
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
