const dayMs = 86_400_000

/** A backup, as the retention sees it. */
export interface KeptBackup {
  readonly id: string
  readonly createdAt: string
  /** It was verified, and found complete, undamaged, and of this service. */
  readonly sound: boolean
}

/**
 * Which backups may be deleted: beyond the newest `keep`, or older than `keepDays`. Nothing as long
 * as none is known to be sound, and never the newest that is. `backups` has the newest first.
 */
export function outdated(
  backups: readonly KeptBackup[],
  { keep, keepDays, now }: { readonly keep: number; readonly keepDays: number | undefined; readonly now: number },
): readonly string[] {
  const newestSound = backups.find(({ sound }) => sound)
  if (newestSound === undefined) return []
  const isOld = ({ createdAt }: KeptBackup): boolean => keepDays !== undefined && Date.parse(createdAt) < now - keepDays * dayMs
  return backups.filter((backup, index) => backup !== newestSound && (index >= keep || isOld(backup))).map(({ id }) => id)
}
