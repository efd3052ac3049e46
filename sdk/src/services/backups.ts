import { defineServiceReference } from '../core/service-reference.js'

/** How far a backup, or the examination of one, has come. */
export interface BackupProgress {
  /** What is being read: users' files, the database, or the finished backup. */
  readonly step: 'files' | 'database' | 'check'
  /** Bytes so far, of the whole. */
  readonly bytes: number
  /** Files so far. */
  readonly files: number
  /** Bytes that it comes to; null while that is not known. */
  readonly totalBytes: number | null
}

/**
 * Whether a backup proves that this service made it, and that nothing of it was changed since:
 * `proven`; `public_secret` if its proof is under the built-in development secret, which everyone
 * knows; `other_secret` if it was made under another encryption secret than the one in use;
 * `absent` if it has none, as those of earlier versions.
 */
export type BackupProof = 'proven' | 'public_secret' | 'other_secret' | 'absent'

/** A file of a backup that deserves attention. */
export interface NotedFile {
  /** The handle of its owner; null if it is of the whole service. */
  readonly user: string | null
  /** As its owner knows it. */
  readonly path: string
  /**
   * `too_sparse`: it was left out, since it has gigabytes of holes (zeros that take no room), or its owner's
   * files would take far more room in the backup than on the disk, as many names of one file do.
   * `unreadable`: it was left out, since the system does not let it be read, as its owner's programs can
   * have it, or since it lies too deep in folders.
   * `changing`: it changed whenever it was read, and was kept as it was then.
   */
  readonly reason: 'too_sparse' | 'unreadable' | 'changing'
}

/** What a backup says about itself. */
export interface BackupSummary {
  /** When it began, RFC 3339: what was acknowledged before is in it. */
  readonly createdAt: string
  /** The version of the service that made it. */
  readonly serviceVersion: string
  /** The address or machine of the service that made it; null before it was written down. */
  readonly service: string | null
  /** The database's driver, which a restore needs too. */
  readonly driver: string
  /** Of the backup's file. */
  readonly bytes: number
  /** Files in it, without those of the database. */
  readonly files: number
  /** Files that changed whenever they were read, as programs write them: kept as they were then. */
  readonly changing: number
  /** Links, sockets and names that are no text, which a backup leaves out. */
  readonly leftOut: number
  /** Files that were left out since they would take far more room than on the disk. */
  readonly tooSparse: number
  /** Files and folders of users that were left out since they cannot be read, or lie too deep. */
  readonly unreadable: number
  /** The first hundred of those that are counted in `changing`, `tooSparse` and `unreadable`. */
  readonly noted: readonly NotedFile[]
  /** Dotted paths of secrets that the configuration file has literally, which were left out. */
  readonly secretsLeftOut: readonly string[]
}

/** What the examination of a backup found. */
export interface BackupReport {
  /** Complete and undamaged, and its database opens. */
  readonly sound: boolean
  /** Why it is not; null if it is. */
  readonly problem: string | null
  /** Null if it cannot be read that far, or was changed after it was made. */
  readonly proof: BackupProof | null
  /** Absent if the backup cannot be read that far. */
  readonly summary?: BackupSummary
  /** Documents in its database. */
  readonly documents: number
  /** Files to which stored messages refer. */
  readonly references: number
  /** Those of them that are not in the backup: their owners had deleted them. */
  readonly missing: number
}

/** What the work on a backup gets. */
export interface BackupWork {
  /** Ends it; nothing is left behind. */
  readonly signal: AbortSignal
  /** Called now and then, at most some times a second. */
  readonly progress?: (progress: BackupProgress) => void
}

/**
 * Backups of the whole service in one file: database, users' files, state documents, shared skills
 * and ontologies, and the configuration. Sealed secrets stay sealed, and the encryption secret is
 * not in it.
 *
 * @example
 * const backups = context.use(backupsService)
 * const file = `${backups.folder}/before-the-upgrade.tar`
 * const { bytes } = await backups.create({ file, signal: AbortSignal.timeout(600_000) })
 * context.log.info('A backup was made.', { file, bytes })
 */
export interface Backups {
  /** Where backups go unless an operator chose another folder: `{storage.data_dir}/system/backups`. */
  readonly folder: string
  /**
   * Makes a backup while work goes on. The file appears complete and durable, by a rename, or not at
   * all. Noted in the audit log as `backup.created`, by the actor or the service itself.
   * @throws `backup_running` while another one is made, in the whole deployment, `backup_refused` if
   * the driver makes none or the file is there already, `backup_no_room`, the signal's reason.
   */
  create(
    options: BackupWork & {
      /** Absolute. Its folder is created. */
      readonly file: string
      /** Who asked for it. */
      readonly actor?: { readonly userId: string; readonly address?: string }
    },
  ): Promise<BackupSummary>
  /** Reads what a backup says about itself, without checking the rest; undefined if that is damaged. */
  describe(file: string): Promise<BackupSummary | undefined>
  /**
   * Checks every byte and the proof of origin, then opens the database in a temporary folder, counts, and looks for each
   * file that messages refer to. Damage is a finding, not an error.
   */
  verify(options: BackupWork & { readonly file: string }): Promise<BackupReport>
  /**
   * Removes what killed processes left of unfinished backups in a folder. Does nothing while a
   * backup is being made.
   */
  removeLeftovers(folder: string): Promise<void>
}

/** Backups of the whole service. Provided by the kernel, to built-in plugins. */
export const backupsService = defineServiceReference<Backups>()('kernel.backups')
