import type { Logger } from '@agent-service/sdk'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { BackupProgress, BackupReport, Backups, NotedFile } from '@agent-service/sdk/services/backups'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import type { PluginEvents } from '@agent-service/sdk/services/events'
import type { Notifications } from '@agent-service/sdk/services/notifications'
import type { Settings } from '../configuration.js'
import { backupBusyError } from '../errors.js'
import type { BackupMetrics } from '../metrics.js'
import { type BackupFolder, idOf, type StoredBackup } from './backup-folder.js'
import { type BackupRun, isGood, runCollection, type Verification, verificationCollection } from './backup-records.js'
import { outdated } from './outdated.js'

/** What backups are made with. */
export interface RunnerParts {
  readonly backups: Backups
  readonly folder: BackupFolder
  readonly settings: Settings
  readonly database: Database
  readonly events: Pick<PluginEvents, 'publishDelta' | 'record'>
  readonly accounts: Pick<Accounts, 'admins'>
  readonly notifications: Notifications | undefined
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly metrics: BackupMetrics
  readonly log: Logger
}

/** What is being done now. */
export interface CurrentWork {
  readonly id: string
  readonly kind: 'backup' | 'verification'
  readonly trigger: BackupRun['trigger']
  readonly started_at: string
  readonly progress: {
    readonly step: BackupProgress['step']
    readonly bytes: number
    readonly files: number
    readonly total_bytes: number | null
  }
}

/** Who asked for it, and what ends it. */
export interface RunOptions {
  readonly trigger: BackupRun['trigger']
  readonly actor?: { readonly userId: string; readonly address?: string }
  readonly signal: AbortSignal
}

const eventMs = 500
const keptRuns = 100

export type BackupRunner = ReturnType<typeof createBackupRunner>

const notedLines: Readonly<Record<NotedFile['reason'], string>> = {
  too_sparse: 'A backup left out a file that takes far more room in it than on the disk.',
  unreadable: 'A backup left out what it cannot read.',
  changing: 'A file changed whenever a backup read it.',
}

/** Makes, verifies and deletes backups, one at a time. */
export function createBackupRunner(parts: RunnerParts) {
  const { backups, folder, settings, database, clock, metrics, log } = parts
  const runs = database.collection(runCollection)
  const verifications = database.collection(verificationCollection)
  const stopped = new AbortController()
  let current: CurrentWork | undefined
  let cancel = new AbortController()
  /** Aborted when the current work is to end. */
  let ends: AbortSignal = cancel.signal
  let work: Promise<unknown> = Promise.resolve()
  let saidAt = 0
  /** The last run, if it ended while nothing could be stored. */
  let unstored: BackupRun | undefined

  const isoNow = (): string => new Date(clock.now()).toISOString()

  const announce = async (id: string, state: string): Promise<void> => {
    const admins = await parts.accounts.admins()
    await database.transaction(async (transaction) => {
      for (const { id: userId } of admins) parts.events.record(transaction, { userId, name: 'backup.updated', data: { id, state } })
    })
  }
  /** Progress goes to those who are administrators when the work begins. */
  const progressOf = async (id: string): Promise<(progress: BackupProgress) => void> => {
    const admins = await parts.accounts.admins()
    return ({ step, bytes, files, totalBytes }) => {
      if (current?.id !== id) return
      current = { ...current, progress: { step, bytes, files, total_bytes: totalBytes } }
      const now = clock.monotonic()
      if (now - saidAt < eventMs) return
      saidAt = now
      for (const { id: userId } of admins)
        parts.events.publishDelta({ userId, name: 'backup.progress.delta', data: { id, step, bytes, files, total_bytes: totalBytes } })
    }
  }

  /** Waits for work that was cancelled. @throws `backup_running` while other work goes on. */
  const untilFree = async (): Promise<void> => {
    while (current && ends.aborted) await work
    if (current) throw backupBusyError.create({ id: current.id })
  }
  /** Takes the place of the one piece of work: in the same tick in which it was found free. */
  const begin = <Result>(
    what: Pick<CurrentWork, 'id' | 'kind' | 'trigger'>,
    given: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    current = { ...what, started_at: isoNow(), progress: { step: 'files', bytes: 0, files: 0, total_bytes: null } }
    cancel = new AbortController()
    ends = AbortSignal.any([...(given ? [given] : []), cancel.signal, stopped.signal])
    const running = run(ends).finally(() => {
      current = undefined
    })
    work = running.catch(() => undefined)
    return running
  }

  const lastGood = async (): Promise<StoredBackup | undefined> => {
    for (const backup of await folder.list()) if (isGood(await verifications.get(backup.id))) return backup
    return undefined
  }

  const noteVerification = async (id: string, report: BackupReport): Promise<Verification> => {
    const { sound, problem, proof, documents, references, missing } = report
    const record: Verification = { id, verified_at: isoNow(), sound, problem, proof, documents, references, missing }
    await verifications.put(record)
    return record
  }

  /** Looks at a backup and deletes what is older than the retention, if it is sound. */
  const check = async (id: string, signal: AbortSignal, progress: (progress: BackupProgress) => void): Promise<Verification> => {
    const report = await backups.verify({ file: folder.pathOf(id), signal, progress })
    const record = await noteVerification(id, report)
    if (!record.sound) log.error('A backup is damaged and cannot be restored.', { id, problem: record.problem })
    else if (!isGood(record)) log.warn('A backup has no proof that this service made it.', { id, proof: record.proof })
    return record
  }

  const unreadableIn = async (path: string): Promise<number> => (await backups.describe(path))?.unreadable ?? 0

  /** Says that more cannot be read than before: a person has to see whether that is a user's wish or a fault. */
  const tellUnreadable = async ({
    id,
    unreadable,
    before,
  }: {
    readonly id: string
    readonly unreadable: number
    readonly before: number
  }): Promise<void> => {
    if (unreadable <= before) return
    await parts.notifications?.send({
      ...{ to: 'admins', kind: 'backup.incomplete', key: id, title: 'A backup could not read everything', link: '/admin/backup' },
      text: `${unreadable} files and folders of users are not in it, since they cannot be read; ${before} in the one before. If you do not know why, look at their owners and rights, and at the disk.`,
    })
  }

  const prune = async (): Promise<void> => {
    const found = await folder.list()
    const known = await Promise.all(
      found.map(async ({ id, path, createdAt }) => {
        const sound = isGood(await verifications.get(id))
        return { id, createdAt, sound, unreadable: sound ? await unreadableIn(path) : 0 }
      }),
    )
    for (const id of outdated(known, { keep: settings.keep, keepDays: settings.keepDays, now: clock.now() })) {
      await folder.remove(id)
      await verifications.delete(id)
      log.info('An old backup was deleted.', { id })
    }
    const old = await runs.query({ index: 'by_start', order: 'descending', from: '', limit: keptRuns + 20 })
    for (const { id } of old.items.slice(keptRuns)) await runs.delete(id)
  }

  const make = async (id: string, { trigger, actor }: Omit<RunOptions, 'signal'>, signal: AbortSignal): Promise<BackupRun> => {
    const startedAt = clock.now()
    const started: BackupRun = {
      id,
      trigger,
      state: 'running',
      started_at: new Date(startedAt).toISOString(),
      ended_at: null,
      bytes: null,
      error: null,
    }
    let ended: BackupRun
    try {
      if (unstored) await storeFailure(unstored)
      await runs.put(started)
      await announce(id, 'running')
      const progress = await progressOf(id)
      const last = await lastGood()
      const summary = await backups.create({ file: folder.pathOf(id), signal, progress, ...(actor === undefined ? {} : { actor }) })
      for (const { user, path, reason } of summary.noted) log.warn(notedLines[reason], { id, user_handle: user, path })
      const checked = await check(id, signal, progress)
      if (!checked.sound) throw new Error(`The finished backup cannot be restored: ${checked.problem}`)
      if (!isGood(checked)) throw new Error('The finished backup is not the one that was made: its proof of origin does not fit.')
      ended = { ...started, state: 'succeeded', ended_at: isoNow(), bytes: summary.bytes }
      await runs.put(ended)
      metrics.succeeded({ at: startedAt, seconds: (clock.now() - startedAt) / 1_000, bytes: summary.bytes })
      await tellUnreadable({ id, unreadable: summary.unreadable, before: last ? await unreadableIn(last.path) : 0 })
      await prune()
      await announce(id, 'succeeded')
      return ended
    } catch (error) {
      const isCancelled = signal.aborted
      if (!isCancelled) {
        metrics.failed()
        log.error('A backup failed.', { id, trigger, error })
      }
      const message = error instanceof Error ? error.message : String(error)
      ended = { ...started, state: isCancelled ? 'cancelled' : 'failed', ended_at: isoNow(), error: isCancelled ? null : message }
      unstored = ended
      try {
        // A backup that cannot be relied on is not left among the others.
        if (isCancelled || !isGood(await verifications.get(id))) await folder.remove(id)
        await storeFailure(ended)
      } catch (unstorable) {
        // The disk that made it fail may be the database's too: the reason of the failure is the one to tell.
        log.warn('The end of a backup could not be stored. It is stored with the next backup.', { id, error: unstorable })
      }
      throw error
    }
  }

  /** Stores that a run failed or was cancelled, and tells those who are to know. */
  const storeFailure = async (ended: BackupRun): Promise<void> => {
    const { id, state, error } = ended
    await runs.put(ended)
    if (state === 'failed')
      await parts.notifications?.send({
        ...{ to: 'admins', kind: 'backup.failed', key: id, title: 'A backup failed', text: error ?? '', link: '/admin/backup' },
      })
    unstored = undefined
    await announce(id, state)
  }

  const nextId = async (): Promise<string> => {
    const id = idOf(clock.now())
    return (await folder.find(id)) ? idOf(clock.now() + 1) : id
  }

  return {
    current: (): CurrentWork | undefined => current,
    /** Makes and verifies a backup; rejects if it fails. */
    async run(options: RunOptions): Promise<BackupRun> {
      const id = await nextId()
      await untilFree()
      return begin({ id, kind: 'backup', trigger: options.trigger }, options.signal, (signal) => make(id, options, signal))
    },
    /** Begins one and does not wait for its end. */
    async start(options: Omit<RunOptions, 'signal'>): Promise<string> {
      const id = await nextId()
      await untilFree()
      const running = begin({ id, kind: 'backup', trigger: options.trigger }, undefined, (signal) => make(id, options, signal))
      // Recorded and reported at its end.
      running.catch(() => undefined)
      return id
    },
    async verify(id: string, { signal }: { readonly signal: AbortSignal }): Promise<Verification> {
      await untilFree()
      return begin({ id, kind: 'verification', trigger: 'request' }, signal, async (ended) => {
        const record = await check(id, ended, await progressOf(id))
        await announce(id, 'verified')
        return record
      })
    },
    /** Ends the work at hand; false if there is none. Resolves once nothing of it is left. */
    async cancel(): Promise<boolean> {
      if (!current) return false
      cancel.abort(new DOMException('An administrator cancelled the backup.', 'AbortError'))
      await work
      return true
    },
    async remove(id: string): Promise<void> {
      if (current?.id === id) throw backupBusyError.create({ id })
      await folder.remove(id)
      await verifications.delete(id)
      await announce(id, 'deleted')
    },
    verification: (id: string): Promise<Verification | undefined> => verifications.get(id),
    async lastRun(): Promise<BackupRun | undefined> {
      return unstored ?? (await runs.query({ index: 'by_start', order: 'descending', from: '', limit: 1 })).items[0]
    },
    /** The newest backup that was found sound, and of this service. */
    lastGood,
    /** Runs that a killed process left behind have failed. */
    async closeOpenRuns(): Promise<void> {
      const recent = await runs.query({ index: 'by_start', order: 'descending', from: '', limit: keptRuns })
      for (const run of recent.items)
        if (run.state === 'running')
          await runs.put({ ...run, state: 'failed', ended_at: isoNow(), error: 'The service was stopped meanwhile.' })
    },
    /** Ends what is going on, for a plugin that stops. */
    async stop(): Promise<void> {
      stopped.abort(new DOMException('The service is stopping.', 'AbortError'))
      await work
    },
  }
}
