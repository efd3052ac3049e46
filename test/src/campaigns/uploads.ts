import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { signIn, signUp } from '../support/api.js'
import { createRandom, type Random } from '../support/random.js'
import type { CampaignOptions } from './index.js'
import { type BreakingProxy, startBreakingProxy } from './support/breaking-proxy.js'
import { type ServiceLife, startLife } from './support/service-life.js'

/** What a campaign has done. */
export interface UploadsOutcome {
  readonly uploads: number
  /** Connections that were cut in the middle of a request. */
  readonly cuts: number
  /** Uploads that were given up by one client and continued by another. */
  readonly resumed: number
  /** How often the service was killed. */
  readonly kills: number
}

const atOnce = 4
/** A client asks again for so long. */
const restartLimitMs = 30_000
const retryDelays = [0, 50, 100, 200, ...Array.from({ length: 60 }, () => 500)]

/**
 * Uploads files by the official client of the tus protocol through connections that break, to a
 * service that is killed, and continues each one with another client. @throws if a file is not
 * exactly what was sent, or anything is left behind that the service would not remove by itself soon.
 */
export async function run({ seed, full, print }: CampaignOptions): Promise<UploadsOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const total = full ? 200 : 10
  const killEvery = full ? 25 : 5
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-uploads-'))
  let life: ServiceLife | undefined
  let proxy: BreakingProxy | undefined
  try {
    const start = async (): Promise<string> => {
      life = startLife({ folder })
      const url = await life.ready
      if (url === undefined) throw new Error(`The service did not start:\n${life.log.join('\n')}`)
      return url
    }
    const api = await signUp(await start(), 'ada')
    proxy = await startBreakingProxy(random)
    proxy.target = Number(new URL(api.url).port)
    let [resumed, kills, finished, next] = [0, 0, 0, 0]
    let killing = Promise.resolve()
    const restart = async (): Promise<void> => {
      await life?.kill()
      kills += 1
      const url = await start()
      if (proxy) proxy.target = Number(new URL(url).port)
    }
    const work = async (): Promise<void> => {
      for (let index = next; index < total; index = next) {
        next += 1
        const bytes = randomBytes(random.between(200_000, full ? 4_000_000 : 1_500_000))
        const target = { endpoint: `http://127.0.0.1:${proxy?.port}/api/files/uploads`, token: api.token, path: `files/f-${index}` }
        resumed += await uploadInParts(bytes, target, random)
        const kept = await download(() => life, api.token, target.path)
        if (!kept.equals(digestOf(bytes))) throw new Error(`${target.path} is not what was sent`)
        finished += 1
        if (finished % killEvery === 0 && finished < total) killing = killing.then(restart)
        await killing
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    proxy.isBreaking = false
    // A client that never got the answer to its first request has begun another upload.
    const known = await signIn(await urlOf(life), 'ada', 'a long enough password')
    const { body } = await known.request('GET', '/api/files/uploads?limit=100')
    for (const each of body['items'] as readonly { readonly id: string; readonly offset: number }[]) {
      if (each.offset > 0) throw new Error(`The upload ${each.id} has bytes although its client never continued it`)
      await known.request('DELETE', `/api/files/uploads/${each.id}`)
    }
    const names = new Set(await readdir(path.join(folder, 'data', 'users', 'ada', '.incoming')))
    // Bytes without a record are of a request that a kill cut off as it began; the service removes them after ten minutes.
    const [cutOff, left] = partition(
      [...names].filter((name) => name.startsWith('upload-') && !name.endsWith('.record')),
      (name) => !names.has(`${name}.record`),
    )
    if (left.length > 0) throw new Error(`Bytes were left behind: ${left.join(', ')}`)
    if (cutOff.length > kills * atOnce) throw new Error(`${kills} kills left more than their requests: ${cutOff.join(', ')}`)
    const outcome = { uploads: finished, cuts: proxy.cuts, resumed, kills }
    print(
      `${finished} uploads are whole: ${proxy.cuts} connections were cut, ${resumed} uploads were resumed by another client, ${kills} kills`,
    )
    return outcome
  } finally {
    await proxy?.close()
    await life?.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

const partition = (names: readonly string[], isFirst: (name: string) => boolean): readonly [readonly string[], readonly string[]] => [
  names.filter(isFirst),
  names.filter((name) => !isFirst(name)),
]
const urlOf = async (life: ServiceLife | undefined): Promise<string> => (await life?.ready) ?? ''
const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

interface Target {
  readonly endpoint: string
  readonly token: string
  readonly path: string
}

/** Uploads by several clients, each of which gives up in the middle; returns how many did. */
async function uploadInParts(bytes: Buffer, target: Target, random: Random): Promise<number> {
  let url: string | null = null
  let givenUp = 0
  for (;;) {
    const until = givenUp < 2 ? random.between(0, bytes.length) : Number.POSITIVE_INFINITY
    const result: { readonly isDone: boolean; readonly url: string | null } = await uploadUntil(bytes, { ...target, url, until, random })
    if (result.isDone) return givenUp
    url = result.url
    givenUp += 1
  }
}

function uploadUntil(
  bytes: Buffer,
  options: Target & { readonly url: string | null; readonly until: number; readonly random: Random },
): Promise<{ readonly isDone: boolean; readonly url: string | null }> {
  const { endpoint, token, path: place, url, until, random } = options
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...{ endpoint, uploadUrl: url, retryDelays, storeFingerprintForResuming: false },
      chunkSize: random.between(50_000, 1_000_000),
      metadata: { path: place },
      headers: { authorization: `Bearer ${token}`, 'if-none-match': '*' },
      onProgress(sent) {
        if (sent < until || sent === bytes.length || upload.url === null) return
        upload.abort().then(() => resolve({ isDone: false, url: upload.url }), reject)
      },
      onSuccess: () => resolve({ isDone: true, url: upload.url }),
      onError: reject,
    })
    upload.start()
  })
}

/** The digest of the file as the service sends it; asks again if the service was killed meanwhile. */
async function download(life: () => ServiceLife | undefined, token: string, place: string): Promise<Buffer> {
  for (const until = Date.now() + restartLimitMs; ; ) {
    try {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${await urlOf(life())}/api/files/content?path=${place}`, { headers })
      if (!answer.ok) throw new Error(`${place}: ${answer.status} ${await answer.text()}`)
      return digestOf(new Uint8Array(await answer.arrayBuffer()))
    } catch (error) {
      // What `fetch` throws when a connection breaks.
      if (!(error instanceof TypeError) || Date.now() > until) throw error
      await setTimeout(100)
    }
  }
}
