import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A folder on a disk that can be made full. */
export interface SmallDisk {
  readonly path: string
  /** From now on a process cannot write; of a limit, this process alone. */
  fill(pid?: number): Promise<void>
  free(pid?: number): Promise<void>
  remove(): Promise<void>
}

/** A way to make a disk full, in a folder that is not there yet. */
export interface DiskKind {
  readonly name: string
  create(folder: string): Promise<SmallDisk>
}

/**
 * The size that files of a process may have, for writes from now on. Any user may set it, unlike a
 * mount.
 */
const limitFiles = async (pid: number, bytes: string): Promise<void> => {
  await execute('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

const ignore = (): void => undefined

const limit: DiskKind = {
  name: 'a limit on the size of files',
  async create(folder) {
    await mkdir(folder)
    // Libraries that clean up at the end of a process end it at this signal, unless someone else listens.
    if (!process.listeners('SIGXFSZ').includes(ignore)) process.on('SIGXFSZ', ignore)
    return {
      path: folder,
      fill: (pid = process.pid) => limitFiles(pid, '0'),
      free: (pid = process.pid) => limitFiles(pid, 'unlimited'),
      remove: async () => undefined,
    }
  },
}

const fileSystem: DiskKind = {
  name: 'a file system of 6 MiB',
  async create(folder) {
    await mkdir(folder)
    await execute('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder])
    const ballast = path.join(folder, 'ballast')
    return {
      path: folder,
      async fill() {
        const error: unknown = await writeFile(ballast, Buffer.alloc(8 * 1024 * 1024)).catch((cause: unknown) => cause)
        if ((error as { readonly code?: unknown } | undefined)?.code !== 'ENOSPC')
          throw new Error(`${folder} has too much room.`, { cause: error })
      },
      free: () => rm(ballast),
      remove: async () => {
        await execute('umount', [folder])
      },
    }
  },
}

/** Those that this user may use: root where it may mount, too. */
export async function diskKinds(scratch: string): Promise<readonly DiskKind[]> {
  if (process.getuid?.() !== 0) return [limit]
  const folder = path.join(scratch, 'try')
  try {
    await (await fileSystem.create(folder)).remove()
    return [limit, fileSystem]
  } catch {
    return [limit]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
