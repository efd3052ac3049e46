import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Static, type TSchema, Type, validate } from '@agent-service/sdk'
import type { DoctorFinding } from '@agent-service/sdk/contracts/doctor-check'
import type { Installation } from '../installation.js'
import { type CheckFindings, failed } from './run-checks.js'

const date = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const version = Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })

/** `resources/known-holes.json`. */
const knownHoles = Type.Object({
  as_of: date,
  source: Type.String(),
  node: Type.Array(Type.Object({ line: Type.Integer(), patched: Type.Optional(version), ended: Type.Optional(date) })),
  packages: Type.Array(Type.Object({ name: Type.String(), versions: Type.Array(Type.String()), advisory: Type.String() })),
})

export type KnownHoles = Static<typeof knownHoles>

/** What is read of a lock of npm. */
const packageLock = Type.Object(
  {
    packages: Type.Record(
      Type.String(),
      Type.Object(
        {
          version: Type.Optional(Type.String()),
          integrity: Type.Optional(Type.String()),
          link: Type.Optional(Type.Boolean()),
          inBundle: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true },
)

/**
 * What the Node.js of this process and the installed packages have of the holes that ship as known. Of
 * a damaged installation it says what could not be checked, and the rest of doctor goes on.
 */
export async function checkKnownHoles({
  installedResources,
  installFolder,
}: Pick<Installation, 'installedResources' | 'installFolder'>): Promise<readonly CheckFindings[]> {
  const readHoles = () => readChecked(path.join(installedResources, 'known-holes.json'), knownHoles)
  const node = async (): Promise<CheckFindings> => ({
    ...{ id: 'node', title: 'Node.js', findings: [nodeFinding(await readHoles(), process.versions.node)] },
    json: { version: process.versions.node },
  })
  const packages = async (): Promise<CheckFindings> => {
    const installed = await installedPackages(path.dirname(installFolder))
    return { id: 'packages', title: 'Packages', findings: packageFindings(await readHoles(), installed) }
  }
  return Promise.all([orFailed('node', 'Node.js', node), orFailed('packages', 'Packages', packages)])
}

const orFailed = (id: string, title: string, check: () => Promise<CheckFindings>): Promise<CheckFindings> =>
  check().catch((error: unknown) => failed(id, title, error instanceof Error ? error.message : String(error)))

/** @throws an error that names the file and what is wrong. */
async function readChecked<Schema extends TSchema>(file: string, schema: Schema): Promise<Static<Schema>> {
  const text = await readFile(file, 'utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is no JSON: install the service again`, { cause: error })
  }
  const [problem] = validate(schema, value)
  if (problem) throw new Error(`${file} is not as expected: ${problem.path} ${problem.message}`)
  return value as Static<Schema>
}

/** Whether a release of Node.js has the fixes of its line, as far as is known. */
export function nodeFinding({ node, as_of, source }: Pick<KnownHoles, 'node' | 'as_of' | 'source'>, running: string): DoctorFinding {
  const known = node.find(({ line }) => line === Number(running.split('.')[0]))
  const supported = node.filter(({ ended }) => ended === undefined).map(({ patched }) => patched)
  const instead = `use ${supported.join(', ')} or a later one of these lines`
  if (known?.ended !== undefined) {
    return { state: 'warning', text: `${running} is of a line that has got no fixes of security holes since ${known.ended}: ${instead}` }
  }
  if (known?.patched !== undefined && isBefore(running, known.patched)) {
    return { state: 'warning', text: `${running} has security holes that ${known.patched} mends (${source}): ${instead}` }
  }
  if (known === undefined && Number(running.split('.')[0]) < Math.min(...node.map(({ line }) => line))) {
    return { state: 'warning', text: `${running} is of a line that gets no fixes of security holes any more: ${instead}` }
  }
  return { state: 'well', text: `${running} has the fixes of security holes that were known on ${as_of}` }
}

/** Names the installed packages whose releases are known to be poisoned or vulnerable. */
export function packageFindings(
  { packages, as_of }: Pick<KnownHoles, 'packages' | 'as_of'>,
  installed: readonly InstalledPackage[] | undefined,
): readonly DoctorFinding[] {
  if (installed === undefined) return [{ state: 'warning', text: 'there is no lock of the installed packages, so they were not looked at' }]
  const found = installed.flatMap(({ name, version, integrity }): readonly DoctorFinding[] => {
    const hole = packages.find((each) => each.name === name && each.versions.includes(version))
    if (hole) return [{ state: 'failed', text: `${name} ${version} must not be used (${hole.advisory}): install the service again` }]
    return integrity
      ? []
      : [{ state: 'warning', text: `${name} ${version} has no hash in the lock, so nothing shows that it is unchanged` }]
  })
  return found.length > 0
    ? found
    : [{ state: 'well', text: `${installed.length} are locked by their hash; none is known on ${as_of} as poisoned` }]
}

/** A package in a lock of npm. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** Its archive is bound to a hash. */
  readonly integrity: boolean
}

/** Those that npm has installed, else those of the lock of the sources; the workspaces themselves apart. */
async function installedPackages(root: string): Promise<readonly InstalledPackage[] | undefined> {
  for (const file of ['node_modules/.package-lock.json', 'package-lock.json']) {
    const lock = await readChecked(path.join(root, file), packageLock).catch(absent)
    if (lock === undefined) continue
    return Object.entries(lock.packages).flatMap(([place, { version, integrity, link, inBundle }]) => {
      const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1]
      return name === undefined || version === undefined || link || inBundle ? [] : [{ name, version, integrity: integrity !== undefined }]
    })
  }
  return undefined
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

function isBefore(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number))
  const place = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return place !== undefined && Number(a?.[place]) < Number(b?.[place])
}
