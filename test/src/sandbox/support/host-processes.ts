import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** The processes of the machine whose command line has this text. */
export async function processesWith(text: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map(async (id) => `${id} ${await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')}`))
  return lines.filter((line) => line.includes(text)).map((line) => line.replaceAll('\0', ' '))
}

/** Resolves with what is left of them: none, or those that still run after ten seconds. */
export async function processesLeft(text: string): Promise<readonly string[]> {
  for (const end = Date.now() + 10_000; Date.now() < end; await setTimeout(50)) if ((await processesWith(text)).length === 0) return []
  return processesWith(text)
}
