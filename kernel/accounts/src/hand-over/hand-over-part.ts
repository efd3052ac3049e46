import path from 'node:path'
import type { HandOverItem, UserData } from '@agent-service/sdk/contracts/user-data'
import { openSetAsideFile, type SetAsideFile } from './set-aside-file.js'

interface PartOptions {
  /** For copies of what is taken away. Its name is the hand-over's. */
  readonly folder: string
  readonly signal: AbortSignal
}

/** Copies a part that is going to be erased. Does nothing with one that decides itself. */
export async function copyPart(part: UserData, userId: string, { folder, signal }: PartOptions): Promise<readonly HandOverItem[]> {
  if (part.handOver) return []
  return withFile(folder, part, async (file) => {
    let count = 0
    for await (const record of part.export(userId, { signal })) {
      await file.add(record)
      count += 1
    }
    await file.sync()
    return [{ what: part.id.replaceAll(/[-_]/g, ' '), count, outcome: 'set_aside' }]
  })
}

/** Hands over a part as it says, or erases what {@link copyPart} has copied. */
export async function takePart(part: UserData, userId: string, { folder, signal }: PartOptions): Promise<readonly HandOverItem[]> {
  if (!part.handOver) {
    await part.erase(userId, { signal })
    return []
  }
  return withFile(folder, part, async (file) => {
    const setAside: SetAsideFile['add'] = async (record) => {
      await file.add(record)
      await file.sync()
    }
    return (await part.handOver?.(userId, { signal, name: path.basename(folder), setAside })) ?? []
  })
}

async function withFile<Result>(folder: string, { id }: UserData, work: (file: SetAsideFile) => Promise<Result>): Promise<Result> {
  const file = openSetAsideFile(folder, id)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
