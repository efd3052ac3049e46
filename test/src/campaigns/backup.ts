import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readArchive } from '@agent-service/kernel/testing'
import { type AgentsKernel, endOf, type Person, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type Api, signIn } from '../support/api.js'
import { createRandom, type Random } from '../support/random.js'
import { restoreInto } from '../support/restore-backup.js'
import { startServiceProcess } from '../support/service-process.js'
import type { CampaignOptions } from './index.js'

/** What the campaign saw. */
export interface BackupOutcome {
  /** Writes that were acknowledged before the backup began, all found in the restored service. */
  readonly messages: number
  readonly files: number
  /** Writes that were acknowledged while it was made. */
  readonly meanwhile: number
  /** Damaged copies, all refused. */
  readonly refused: number
  readonly bytes: number
  /** By how much the memory of the process grew at most while the backup was made. */
  readonly memoryMiB: number
}

/** A write that the service has acknowledged. */
type Write =
  | { readonly kind: 'message'; readonly user: string; readonly chatId: string; readonly text: string }
  | { readonly kind: 'file'; readonly user: string; readonly name: string; readonly sha256: string }

const mebibyte = 1_048_576
const password = 'a long enough password'

/**
 * Backs a service up while users write messages and files as fast as they can, restores it in a new
 * folder under a new process, and looks for every write that was acknowledged before the backup
 * began. Then cuts and flips the backup in random places. @throws with the first violation.
 */
export async function run({ seed, seconds, full, print }: CampaignOptions): Promise<BackupOutcome> {
  print(`SEED=${seed}`)
  const random = createRandom(seed)
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'agent-service-restored-'))
  const script = setScript({
    async *answer() {
      // What the model was asked is of no use here, and would be counted as memory of the backup.
      script.requests.length = 0
      yield* says('Noted.')
    },
  })
  const agents = await startAgentsKernel({
    maxLogLines: 1_000,
    environment: { SERVICE_SERVER_MAX_BODY_SIZE_BYTES: String(4_096 * mebibyte) },
  })
  try {
    const people: Person[] = []
    // One after the other: an address may sign up ten at once, and five more in each second.
    for (let number = 0; number < (full ? 12 : 4); number += 1) {
      if (number >= 10) await delay(1_000)
      people.push(await agents.person(`user${number}`))
    }
    const [admin] = people
    if (!admin) throw new Error('No account was made.')
    // A file that is far larger than what the process may hold at once.
    await upload(admin, 'large.bin', full ? 2_048 : 64, random)
    const load = startWriters(people)
    await load.until(full ? 2_000 : 40)
    const { bytes, file, memoryMiB, before, meanwhile } = await backUpUnderLoad(agents, admin, load)
    await load.stop()
    print(
      `${before.length} writes before the backup, ${meanwhile} meanwhile; ${Math.round(bytes / mebibyte)} MiB; memory +${memoryMiB} MiB`,
    )

    await restoreInto(file, elsewhere)
    const service = await startServiceProcess({ folder: elsewhere })
    try {
      await findAll(service.url, before)
    } finally {
      await service.stop()
    }
    const refused = await damageAtRandom(file, { random, times: full ? Math.max(100, seconds) : 3, folder: elsewhere })
    const messages = before.filter(({ kind }) => kind === 'message').length
    print(
      `found ${messages} messages and ${before.length - messages} files in the restored service; ${refused} damaged copies were refused`,
    )
    if (memoryMiB > 250) throw new Error(`The backup of ${Math.round(bytes / mebibyte)} MiB took ${memoryMiB} MiB of memory.`)
    return { messages, files: before.length - messages, meanwhile, refused, bytes, memoryMiB }
  } finally {
    await agents.close()
    await rm(elsewhere, { recursive: true, force: true })
  }
}

interface Load {
  readonly done: readonly Write[]
  /** Resolves once so many writes were acknowledged. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

/** Each user writes one thing after the other, without a pause. */
function startWriters(people: readonly Person[]): Load {
  const done: Write[] = []
  let isOn = true
  let wake: () => void = () => undefined
  const acknowledged = (write: Write): void => {
    done.push(write)
    wake()
  }
  const write = async (person: Person, user: string): Promise<void> => {
    let chatId = ''
    let stream = await person.stream()
    for (let turn = 0; isOn; turn += 1) {
      // What a turn costs, and what the stream of a test keeps, stays the same, however long the backup takes.
      if (turn % 25 === 0) {
        stream.close()
        ;[chatId, stream] = [await person.newChat(), await person.stream()]
      }
      // A user may send 1,200 requests of a kind in a minute.
      const pause = delay(110)
      const text = `message ${turn} of ${user} ${randomBytes(8).toString('hex')}`
      const runId = await person.post(chatId, text)
      acknowledged({ kind: 'message', user, chatId, text })
      const content = randomBytes(1 + (turn % 40) * 1_024)
      const name = `note-${turn}.bin`
      await put(person, name, content)
      acknowledged({ kind: 'file', user, name, sha256: sha256(content) })
      await Promise.all([endOf(stream, runId), pause])
    }
    stream.close()
  }
  const writers = people.map((person, number) => write(person, `user${number}`))
  const failed = Promise.all(writers).then(() => undefined)
  failed.catch(() => undefined)
  return {
    done,
    async until(count) {
      while (done.length < count)
        await Promise.race([
          failed,
          new Promise<void>((resolve) => {
            wake = resolve
          }),
        ])
    },
    async stop() {
      isOn = false
      await failed
    },
  }
}

async function backUpUnderLoad({ kernel }: AgentsKernel, admin: Person, load: Load) {
  const before = [...load.done]
  const start = process.memoryUsage.rss()
  let peak = start
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 50)
  try {
    const body = await backUp(admin)
    const { sound } = body['verification'] as { readonly sound: boolean }
    if (!sound || !kernel.url) throw new Error(`The backup is not sound: ${JSON.stringify(body)}`)
    const file = String(body['path'])
    const memoryMiB = Math.round((peak - start) / mebibyte)
    return { file, bytes: Number(body['bytes']), memoryMiB, before, meanwhile: load.done.length - before.length }
  } finally {
    clearInterval(looking)
  }
}

/** Begins a backup and asks until it has ended: a large one takes longer than a client waits for an answer. */
async function backUp(admin: Person): Promise<Record<string, unknown>> {
  const begun = await admin.request('POST', '/api/admin/backups?wait=false')
  if (begun.status !== 202) throw new Error(`The backup answered ${begun.status}: ${JSON.stringify(begun.body)}`)
  for (;;) {
    const { body } = await admin.request('GET', '/api/admin/backups/status')
    if (body['running'] === null) {
      const made = await admin.request('GET', `/api/admin/backups/${String(begun.body['id'])}`)
      if (made.status !== 200) throw new Error(`The backup was not made: ${JSON.stringify(body['last_run'])}`)
      return made.body
    }
    await delay(100)
  }
}

/** @throws for the first acknowledged write that is missing or has changed. */
async function findAll(url: string, writes: readonly Write[]): Promise<void> {
  const users = new Map<string, Api>()
  const texts = new Map<string, ReadonlySet<string>>()
  for (const write of writes) {
    // As for the sign-ups: ten at once, then a few in each second.
    if (users.size >= 10 && !users.has(write.user)) await delay(1_000)
    const api = users.get(write.user) ?? (await signIn(url, write.user, password))
    users.set(write.user, api)
    if (write.kind === 'message') {
      const known = texts.get(write.chatId) ?? (await textsOf(api, write.chatId))
      texts.set(write.chatId, known)
      if (!known.has(write.text)) throw new Error(`The restored service lacks the message “${write.text}” of ${write.user}.`)
    } else {
      const answer = await fetch(`${url}/api/files/content?path=files/${write.name}`, { headers: { authorization: `Bearer ${api.token}` } })
      if (!answer.ok) throw new Error(`The restored service lacks the file ${write.name} of ${write.user} (${answer.status}).`)
      if (sha256(Buffer.from(await answer.arrayBuffer())) !== write.sha256)
        throw new Error(`${write.name} of ${write.user} is another file.`)
    }
  }
}

async function textsOf(api: Api, chatId: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let cursor: unknown; ; ) {
    const page = await api.request(
      'GET',
      `/api/chats/${chatId}/messages?limit=100${cursor ? `&cursor=${encodeURIComponent(String(cursor))}` : ''}`,
    )
    for (const message of page.body['items'] as Parameters<typeof textOf>[0][]) found.add(textOf(message))
    cursor = page.body['next_cursor']
    if (!cursor) return found
  }
}

/** Cuts and flips copies. @throws if one of them is accepted. */
async function damageAtRandom(
  file: string,
  { random, times, folder }: { readonly random: Random; readonly times: number; readonly folder: string },
) {
  const { signal } = new AbortController()
  const copy = path.join(folder, 'damaged.tar')
  const { size } = await stat(file)
  const isRefused = (): Promise<boolean> =>
    readArchive(copy, { signal, encryptionSecret: 'a secret for tests alone' }).then(
      () => false,
      (error: { readonly code?: string }) => error.code === 'backup_invalid',
    )
  await copyFile(file, copy)
  for (let time = 0; time < times; time += 1) {
    const at = random.between(0, size - 1)
    const handle = await open(copy, 'r+')
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
    const byte = buffer[0] ?? 0
    await handle.write(Buffer.of(byte ^ (1 << random.between(0, 7))), 0, 1, at)
    await handle.close()
    if (!(await isRefused())) throw new Error(`A backup whose byte ${at} was flipped is accepted.`)
    const mended = await open(copy, 'r+')
    await mended.write(Buffer.of(byte), 0, 1, at)
    await mended.close()
  }
  const cuts = Array.from({ length: times }, () => random.between(0, size - 1)).sort((one, other) => other - one)
  for (const at of cuts) {
    await truncate(copy, at)
    if (!(await isRefused())) throw new Error(`A backup that was cut at byte ${at} is accepted.`)
  }
  await rm(copy)
  return 2 * times
}

async function upload(api: Api, name: string, megabytes: number, random: Random): Promise<void> {
  const piece = Buffer.alloc(mebibyte, random.between(1, 255))
  const body = new ReadableStream({
    pull(controller) {
      if (megabytes === 0) return controller.close()
      megabytes -= 1
      controller.enqueue(piece)
    },
  })
  await send(api, name, body)
}

const put = (api: Api, name: string, content: Uint8Array): Promise<void> => send(api, name, content)

async function send(api: Api, name: string, body: Uint8Array | ReadableStream): Promise<void> {
  const answer = await fetch(`${api.url}/api/files/content?path=files/${name}`, {
    ...{ method: 'PUT', body, duplex: 'half' },
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/octet-stream' },
  } as RequestInit)
  if (!answer.ok) throw new Error(`Uploading answered ${answer.status}: ${await answer.text()}`)
}

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')
