const dayMs = 86_400_000

/** A backup, as the retention sees it. */
export interface KeptBackup {
  readonly id: string
  readonly createdAt: string
  /** It was verified, and found complete, undamaged, and of this service. */
  readonly sound: boolean
  /** How many files and folders of users it could not read. */
  readonly unreadable: number
}

/**
 * Which backups may be deleted: beyond the newest `keep`, or older than `keepDays`. Nothing as long
 * as none is known to be sound, and never the newest that is. Where that could not read everything, the newest one that could
 * read more, and the newest one that could read the most, are kept beyond `keep`, too. `backups` has the newest first.
 */
export function outdated(
  backups: readonly KeptBackup[],
  { keep, keepDays, now }: { readonly keep: number; readonly keepDays: number | undefined; readonly now: number },
): readonly string[] {
  const sound = backups.filter((backup) => backup.sound)
  const [newest] = sound
  if (newest === undefined) return []
  const fewest = Math.min(...sound.map(({ unreadable }) => unreadable))
  const fuller = [sound.find(({ unreadable }) => unreadable < newest.unreadable), sound.find(({ unreadable }) => unreadable === fewest)]
  const isOld = ({ createdAt }: KeptBackup): boolean => keepDays !== undefined && Date.parse(createdAt) < now - keepDays * dayMs
  const mayGo = (backup: KeptBackup, index: number): boolean => isOld(backup) || (index >= keep && !fuller.includes(backup))
  return backups.filter((backup, index) => backup !== newest && mayGo(backup, index)).map(({ id }) => id)
}
