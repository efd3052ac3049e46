import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '@agent-service/sdk'
import type { UserFolder } from '@agent-service/sdk/services/user-files'
import { expect } from 'chai'
import { canary, contentsOf, makeFolderOfFiles } from './testing/folder-of-files.js'

/** How often each operation is tried; `ROUNDS=` asks for more. */
const rounds = Number(process.env['ROUNDS'] ?? 50)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Switches the link `d` back and forth between a folder of the user and one outside, as fast as
 * possible, in a thread of its own.
 */
const turnLink = `const { renameSync, symlinkSync } = require('node:fs'); const { workerData: { root, outside } } = require('node:worker_threads')
  for (;;) for (const to of ['good', outside]) { symlinkSync(to, root + '/t'); renameSync(root + '/t', root + '/d') }`

/**
 * Repeatedly replaces the folder `d` by a link to outside, and restores it, whatever is created
 * there in the meantime.
 */
const swapFolder = `const { renameSync, symlinkSync, unlinkSync, rmSync } = require('node:fs'); const { workerData: { root, outside } } = require('node:worker_threads')
  const attempt = (step) => { try { step(); return true } catch { return false } }
  for (;;) {
    attempt(() => renameSync(root + '/d', root + '/away'))
    attempt(() => symlinkSync(outside, root + '/d'))
    attempt(() => unlinkSync(root + '/d'))
    if (!attempt(() => renameSync(root + '/away', root + '/d'))) rmSync(root + '/away', { recursive: true, force: true })
  }`

/**
 * The repeated operations, each with whether it was done (`true`) or refused. Each must be
 * repeatable.
 */
const deeds: Readonly<Record<string, (folder: UserFolder, round: number) => Promise<boolean>>> = {
  async 'reads of a file'(folder) {
    const read = await folder.read('d/f')
    if (read) expect(new TextDecoder().decode(read.bytes)).to.equal('mine')
    return read !== undefined
  },
  async 'reads of a folder'(folder) {
    const page = await folder.list('d')
    if (page) expect(page.items.map(({ name }) => name)).to.not.include('secret')
    return page !== undefined
  },
  'writes over a file': (folder) => done(folder.write('d/f', bytesOf('mine'))),
  'writes of a new file': (folder, round) => done(folder.write(`d/n${round % 50}`, bytesOf('mine'))),
  'writes into new folders': (folder, round) => done(folder.write(`d/m${round % 50}/inner/f`, bytesOf('mine'))),
  'new folders': (folder, round) => done(folder.makeFolder(`d/k${round % 50}`)),
  async removals(folder) {
    return (await folder.remove('d/secret').catch(unlessRefused)) === true || (await done(folder.write('d/secret', bytesOf('mine'))))
  },
  async 'removals of whole folders'(folder) {
    const made = await done(folder.makeFolder('d/inner'))
    await folder.remove('d/inner', { recursive: true }).catch(unlessRefused)
    return made
  },
  'moves out of it': async (folder) => {
    const moved = await done(folder.move('d/f', 'stolen', { replace: true }))
    const stolen = await folder.read('stolen')
    if (stolen) expect(new TextDecoder().decode(stolen.bytes)).to.equal('mine')
    await done(folder.write('d/f', bytesOf('mine')))
    return moved
  },
  'moves into it': async (folder) => {
    await folder.write('own', bytesOf('mine'))
    return done(folder.move('own', 'd/own', { replace: true }))
  },
}

/** True if it was done, false if the service refused it. */
const done = (promise: Promise<unknown>): Promise<boolean> => promise.then(() => true, unlessRefused)

function unlessRefused(error: unknown): false {
  if (!ServiceError.isInstance(error)) throw error
  expect(error.code).to.be.oneOf(['file_not_found', 'file_conflict'])
  return false
}

describe('37 files of a user, while a folder is swapped for a link as fast as possible', function () {
  this.timeout(60_000)
  // Without paths through descriptors, changes can only be checked before and after.
  const checked = Object.entries(deeds).filter(([what]) => process.platform === 'linux' || what.startsWith('reads'))
  for (const [how, program, links] of [
    ['a link is turned', turnLink, 'follow'],
    ['a folder is taken away', swapFolder, 'follow'],
    ['a folder is taken away for another one beside it, and links are refused', swapFolder, 'refuse'],
  ] as const)
    for (const [what, deed] of checked)
      it(`escape in none of the ${what}, where ${how}`, async () => {
        const under = await makeFolderOfFiles()
        const folder = under.files.folder({ handle: 'ada' }, { subsystem: 'workspaces', path: 'agent-1', links })
        const beside = path.join(under.root, 'beside')
        await cp(under.outside, beside, { recursive: true })
        const workerData = await prepare({ root: under.root, outside: links === 'refuse' ? beside : under.outside }, program === turnLink)
        const worker = new Worker(program, { eval: true, workerData })
        const failed = new Promise<never>((_, reject) => worker.on('error', reject))
        const counts = { done: 0, refused: 0 }
        try {
          for (let round = 0; round < rounds || counts.done === 0 || counts.refused === 0; round += 1) {
            const wasDone = await Promise.race([deed(folder, round), failed])
            counts[wasDone ? 'done' : 'refused'] += 1
          }
          expect(await contentsOf(workerData.outside)).to.deep.equal({ f: canary, secret: canary })
          expect(await under.incoming()).to.deep.equal([])
        } finally {
          await worker.terminate()
          await under.remove()
        }
      })
})

interface Places {
  readonly root: string
  readonly outside: string
}

async function prepare({ root, outside }: Places, withLink: boolean): Promise<Places> {
  const good = path.join(root, withLink ? 'good' : 'd')
  await mkdir(good)
  await writeFile(path.join(good, 'f'), 'mine')
  await writeFile(path.join(outside, 'secret'), canary)
  if (withLink) await symlink('good', path.join(root, 'd'))
  return { root, outside }
}
