import { type Static, Type, validate } from '@agent-service/sdk'

/** The version of the file format. The folders of earlier releases have format 1. */
export const backupFormat = 3
/** The first format whose end has a proof of origin. */
export const provenFormat = 3

/** The names of entries that are no files of the service. */
export const names = Object.freeze({
  /** The first: what is needed to decide whether the rest can be read. */
  header: 'backup.json',
  /** One line for every entry before it, in their order. */
  manifest: 'manifest.jsonl',
  /** What the backup comes to. */
  summary: 'summary.json',
  /** The last: the digest of every byte before it, and the proof of origin. */
  end: 'end.json',
})

/** The folders of a backup, and what they are restored to. */
export const roots = ['configuration', 'system', 'users', 'skills', 'ontologies', 'database'] as const
export type Root = (typeof roots)[number]

const headerSchema = Type.Object({
  kind: Type.Literal('agent-service backup'),
  format: Type.Integer(),
  created_at: Type.String(),
  service_version: Type.String(),
  driver: Type.String(),
  /** A text encrypted under the encryption secret, to recognise it by. */
  secret_check: Type.String(),
})

export type BackupHeader = Static<typeof headerSchema>

const summarySchema = Type.Object({
  format: Type.Integer(),
  created_at: Type.String(),
  service_version: Type.String(),
  driver: Type.String(),
  /** The address or machine of the service, for people. Formats before 3 have none. */
  service: Type.Optional(Type.String()),
  revision: Type.Integer(),
  collections: Type.Array(Type.Object({ name: Type.String(), version: Type.Integer() })),
  files: Type.Integer(),
  changing: Type.Integer(),
  left_out: Type.Integer(),
  too_sparse: Type.Optional(Type.Integer()),
  unreadable: Type.Optional(Type.Integer()),
  /** Formats before 3 have none. */
  noted: Type.Optional(
    Type.Array(
      Type.Object({
        user: Type.Union([Type.String(), Type.Null()]),
        path: Type.String(),
        reason: Type.Union([Type.Literal('too_sparse'), Type.Literal('unreadable'), Type.Literal('changing')]),
      }),
    ),
  ),
  secrets_left_out: Type.Array(Type.String()),
  /** For people who open the file with tar. */
  not_included: Type.Array(Type.String()),
  /** Of the manifest's content. */
  manifest_sha256: Type.String(),
})

export type StoredSummary = Static<typeof summarySchema>

/** The one file in the folder `configuration`. */
export const configurationPath = 'configuration/config.yaml'

/** State documents are all that a backup has of the folder `system`. */
export const isStateDocument = (path: string): boolean => /^system\/[^/]+\.json$/.test(path)

/** A line of the manifest. */
export interface ManifestLine {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export const lineOf = (line: ManifestLine): string => `${JSON.stringify({ path: line.path, bytes: line.bytes, sha256: line.sha256 })}\n`

/** @throws an `Error` that says what is wrong. */
export const parseHeader = (text: string): BackupHeader => parseAs(headerSchema, text, names.header) as BackupHeader
/** @throws an `Error` that says what is wrong. */
export const parseSummary = (text: string): StoredSummary => parseAs(summarySchema, text, names.summary) as StoredSummary

function parseAs(schema: Parameters<typeof validate>[0], text: string, name: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`its ${name} is no JSON`, { cause })
  }
  const [problem] = validate(schema, value)
  if (problem) throw new Error(`its ${name} is not as expected: ${problem.path} ${problem.message}`)
  return value
}

/**
 * What is wrong with the path of an entry; undefined for one that lies in a folder of a backup and
 * can be written below another folder.
 */
export function problemOfPath(path: string): string | undefined {
  if (Object.values(names).some((name) => name === path)) return undefined
  const segments = path.split('/')
  if (!roots.some((root) => root === segments[0])) return 'lies in no folder of a backup'
  if (segments[0] === 'configuration' && path !== configurationPath) return 'is not the configuration'
  if (segments[0] === 'system' && !isStateDocument(path)) return 'is no state document'
  if (path.includes('\0')) return 'has a zero byte'
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return 'leads elsewhere'
  if (Buffer.byteLength(path) > 4_096 || segments.some((segment) => Buffer.byteLength(segment) > 255)) return 'is too long'
  return undefined
}
