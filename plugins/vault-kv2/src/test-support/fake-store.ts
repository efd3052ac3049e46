/** One version of a secret, as Vault keeps it. */
export interface FakeVersion {
  readonly data: Readonly<Record<string, unknown>>
  readonly created: string
  deleted?: string
  destroyed?: boolean
}

/** The secrets of one mount, by their paths. */
export type FakeMount = Map<string, FakeVersion[]>

/** What Vault says about a token. */
export interface FakeToken {
  readonly name: string
  /** Default: it never expires. */
  readonly expires?: string
  readonly renewable?: boolean
  /** Whether it may look itself up. Default true. */
  readonly mayLookUp?: boolean
  /** The mounts that it sees. */
  readonly mounts: readonly string[]
  /** Paths below a mount that it may neither list nor read, and all below them. */
  readonly forbidden?: readonly string[]
}

/** Adds a version. */
export function putSecret(mount: FakeMount, path: string, data: Readonly<Record<string, unknown>>): number {
  const versions = mount.get(path) ?? []
  versions.push({ data, created: new Date().toISOString().replace('Z', '123456Z') })
  mount.set(path, versions)
  return versions.length
}

/** Deletes the present version, which could be restored. */
export function deleteSecret(mount: FakeMount, path: string): void {
  const version = mount.get(path)?.at(-1)
  if (version !== undefined) version.deleted = new Date().toISOString()
}

/** The entries of a folder, folders with a slash at the end, in the order of their bytes. */
export function keysIn(mount: FakeMount, folder: string): readonly string[] {
  const prefix = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`
  const keys = [...mount.keys()]
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
    .map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/') + 1) : rest))
  return [...new Set(keys)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
