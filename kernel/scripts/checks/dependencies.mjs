import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { listFiles, listWorkspaces } from '../lib/workspaces.mjs'

export const title = 'packages import only what their layer allows'
export const mend = 'CONTRIBUTING.md ("Who may import whom") has the rule; .dependency-cruiser.cjs has it as code.'

/** More threads would wait for the disk and for each other's memory. */
const maxThreads = 4

/**
 * Packages import each other as they are compiled, where nothing is followed, so each can be looked at without the others:
 * half of them, on a machine with two processors, in a thread of its own.
 */
export async function check({ root }) {
  const groups = evenGroups(root, sourceFolders(root), Math.min(maxThreads, os.availableParallelism()))
  const found = await Promise.all(groups.map((folders) => findInThread(root, folders)))
  return [...new Set(found.flat())]
}

/** What runs in Node, and what runs in browsers. */
function sourceFolders(root) {
  return listWorkspaces(root)
    .flatMap((folder) => [`${folder}/src`, `${folder}/web`])
    .filter((folder) => existsSync(path.join(root, folder)))
}

/** Groups of folders with about as many sources each. */
function evenGroups(root, folders, count) {
  const groups = Array.from({ length: count }, () => ({ size: 0, folders: [] }))
  const sized = folders.map((folder) => ({ folder, size: listFiles(root, folder, (file) => /\.tsx?$/.test(file)).length }))
  for (const { folder, size } of sized.sort((one, other) => other.size - one.size)) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least))
    smallest.folders.push(folder)
    smallest.size += size
  }
  return groups.map((group) => group.folders).filter((group) => group.length > 0)
}

function findInThread(root, folders) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../lib/forbidden-imports-worker.mjs', import.meta.url), { workerData: { root, folders } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The search for forbidden imports ended without a result.')))
  })
}
