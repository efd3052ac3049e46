import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Upload } from 'tus-js-client'
import { type Api, signUp } from '../support/api.js'
import { createRandom } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { watchProcess } from './support/process-figures.js'
import { startLife } from './support/service-life.js'

const mebibyte = 1024 * 1024
/** How much more memory the service may take than after the warm-up, in MiB. */
const maxGrowth = 96

/** The measurements. */
export interface LargeFilesOutcome {
  readonly mebibytes: number
  readonly upSeconds: number
  readonly downSeconds: number
  /** Resident memory of the service, in MiB: after the warm-up, and the most while the file was on its way. */
  readonly memory: { readonly before: number; readonly most: number }
}

/**
 * A gigabyte up by the official client of the tus protocol, and down again. @throws if it is not
 * the same, or the memory of the service is not flat.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<LargeFilesOutcome> {
  print(`SEED=${seed}`)
  const mebibytes = full ? 1_024 : 40
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-large-'))
  const life = startLife({ folder })
  try {
    const url = await life.ready
    const { pid } = life.child
    if (url === undefined || pid === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
    const api = await signUp(url, 'ada')
    const file = path.join(folder, 'large')
    const digest = await makeFile(file, mebibytes, seed)
    const warm = path.join(folder, 'warm')
    await makeFile(warm, 16, seed)
    await send(api, warm, 'files/warm')
    await receive(api, 'files/warm')

    const figures = await watchProcess(pid)
    try {
      await untilMeasured(figures.memory)
      const before = figures.memory.at(-1) ?? 0
      const upFrom = performance.now()
      await send(api, file, 'files/large')
      const upSeconds = (performance.now() - upFrom) / 1_000
      const downFrom = performance.now()
      const received = await receive(api, 'files/large')
      const downSeconds = (performance.now() - downFrom) / 1_000
      const count = figures.memory.length
      await untilMeasured(figures.memory, count + 1)
      const { body } = await api.request('GET', '/api/files/checksum?path=files/large')
      if (received !== digest || body['sha256'] !== digest)
        throw new Error(`${digest} came back as ${received}, known as ${body['sha256']}`)
      const most = Math.max(...figures.memory)
      print(`${mebibytes} MiB up in ${upSeconds.toFixed(1)} s and down in ${downSeconds.toFixed(1)} s`)
      print(`memory of the service: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB meanwhile`)
      if (most > before + maxGrowth) throw new Error(`The memory grew from ${Math.round(before)} to ${Math.round(most)} MiB`)
      return { mebibytes, upSeconds, downSeconds, memory: { before, most } }
    } finally {
      figures.stop()
    }
  } finally {
    await life.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The figures are looked up once a second. */
async function untilMeasured(memory: readonly number[], count = 1): Promise<void> {
  while (memory.length < count) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Writes a file of so many mebibytes, no two alike; returns its SHA-256. */
async function makeFile(file: string, mebibytes: number, seed: number): Promise<string> {
  const random = createRandom(seed)
  const hash = createHash('sha256')
  const handle = await open(file, 'wx')
  const piece = Buffer.alloc(mebibyte)
  for (let at = 0; at < piece.length; at += 4) piece.writeUInt32LE(random.between(0, 2 ** 32 - 1), at)
  for (let count = 0; count < mebibytes; count += 1) {
    piece.writeUInt32LE(count, 0)
    hash.update(piece)
    await handle.write(piece)
  }
  await handle.close()
  return hash.digest('hex')
}

function send(api: Api, file: string, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(createReadStream(file), {
      ...{ endpoint: `${api.url}/api/files/uploads`, chunkSize: 32 * mebibyte, storeFingerprintForResuming: false },
      metadata: { path: place },
      headers: { authorization: `Bearer ${api.token}` },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
}

async function receive(api: Api, place: string): Promise<string> {
  const answer = await fetch(`${api.url}/api/files/content?path=${place}`, { headers: { authorization: `Bearer ${api.token}` } })
  const hash = createHash('sha256')
  for await (const piece of answer.body ?? []) hash.update(piece)
  return hash.digest('hex')
}
