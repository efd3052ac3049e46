import type { UserData } from '@agent-service/sdk/contracts/user-data'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { UserFiles, UserFolder } from '@agent-service/sdk/services/user-files'
import type { SkillCatalogue } from './catalogue/catalogue.js'
import { skillsSubsystem } from './folders/user-skill-folder.js'

const page = 1_000

/** Export, erasure and size of one person's skills, and of those of the person's agents. */
export function createSkillUserData({
  files,
  accounts,
  catalogue,
}: {
  readonly files: UserFiles
  readonly accounts: Pick<Accounts, 'get'>
  readonly catalogue: Pick<SkillCatalogue, 'forget'>
}): UserData {
  const folderOf = async (userId: string): Promise<UserFolder | undefined> => {
    const account = await accounts.get(userId)
    return account && files.folder(account, { subsystem: skillsSubsystem, links: 'refuse' })
  }
  return {
    specVersion: 1,
    id: 'skills',
    collections: [],
    shownBy: ['listSkills', 'getSkill', 'checkSkill', 'getSkillFile'],
    async *export(userId, { signal }) {
      const folder = await folderOf(userId)
      if (!folder) return
      for await (const { path } of filesBelow(folder, signal)) {
        const bytes = (await folder.read(path))?.bytes
        if (bytes) yield { path: `skills/${path}.json`, json: contentOf(bytes) }
      }
    },
    // The folder of a user is removed with the account; what is left here is removed for one that stays.
    async erase(userId) {
      const folder = await folderOf(userId)
      for (const { name } of (await folder?.list('', { limit: page }))?.items ?? []) await folder?.remove(name, { recursive: true })
      catalogue.forget(userId)
    },
    async size(userId, { signal }) {
      const folder = await folderOf(userId)
      let records = 0
      let bytes = 0
      if (folder)
        for await (const { size } of filesBelow(folder, signal)) {
          records += 1
          bytes += size
        }
      return { records, bytes }
    },
  }
}

async function* filesBelow(folder: UserFolder, signal: AbortSignal): AsyncIterable<{ readonly path: string; readonly size: number }> {
  const open = ['']
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    let after: string | undefined
    do {
      const listed = await folder.list(below, { limit: page, signal, ...(after !== undefined && { after }) })
      for (const { name, kind, size } of listed?.items ?? []) {
        const path = below === '' ? name : `${below}/${name}`
        if (kind === 'folder') open.push(path)
        if (kind === 'file') yield { path, size }
      }
      after = listed?.next
    } while (after !== undefined)
  }
}

function contentOf(bytes: Uint8Array): { readonly text: string } | { readonly base64: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}
