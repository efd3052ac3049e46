import { setTimeout } from 'node:timers/promises'
import type { DelayFigures } from '../delay-figures.js'
import { type Caller, createCaller } from './caller.js'
import { sendRaw } from './raw-requests.js'

/** What others notice, in milliseconds. */
export interface Noticed {
  /** Of a simple GET. */
  readonly gets: DelayFigures
  /** From a message to the end of its answer. */
  readonly turns: DelayFigures
  /** Of a sign-in with the right password. */
  readonly signIns: DelayFigures
}

/** A person who uses the service as usual. */
export interface Bystander {
  /** Until the signal aborts. What the service refuses or breaks goes to `problems`. */
  live(noticed: Noticed, problems: string[], signal: AbortSignal): Promise<void>
  close(): void
}

const password = 'a long enough password'
const getEveryMs = 40
const turnEveryMs = 400
const signInEveryMs = 2_500
/** The longest that anything may take before it counts as not served. */
const patienceMs = 20_000

/** Signs up, from an address of their own. */
export async function signUpBystander(
  url: string,
  options: { readonly name: string; readonly address: string; readonly setupCode?: string },
): Promise<{ readonly bystander: Bystander; readonly token: string }> {
  const { name, address, setupCode } = options
  const anonymous = createCaller(url, { address })
  const account = { username: name, password }
  const answer = await anonymous.call('POST', '/api/auth/register', {
    body: { ...account, ...(setupCode === undefined ? {} : { setup_code: setupCode }) },
  })
  const { access_token: token } = JSON.parse(answer.text) as { readonly access_token?: string }
  if (token === undefined) throw new Error(`Signing up answered ${answer.status}: ${answer.text}`)
  const caller = createCaller(url, { address, token })
  return {
    token,
    bystander: {
      async live(noticed, problems, signal) {
        const { id } = JSON.parse(await answered(caller, 'POST', '/api/chats', {})) as { readonly id: string }
        const stream = watchRuns(caller)
        const loop = async (everyMs: number, what: string, figures: DelayFigures, work: () => Promise<unknown>): Promise<void> => {
          while (!signal.aborted) {
            const began = performance.now()
            await work().catch((error: unknown) =>
              problems.push(`${name}, ${what}: ${error instanceof Error ? error.message : String(error)}`),
            )
            figures.add(performance.now() - began)
            await setTimeout(everyMs)
          }
        }
        await Promise.all([
          loop(getEveryMs, 'a simple GET', noticed.gets, () => answered(caller, 'GET', '/api/chats?limit=1')),
          loop(signInEveryMs, 'a sign-in', noticed.signIns, () => answered(anonymous, 'POST', '/api/auth/login', account)),
          loop(turnEveryMs, 'a turn', noticed.turns, async () => {
            const { run } = JSON.parse(await answered(caller, 'POST', `/api/chats/${id}/messages`, { content: 'Say a few words.' })) as {
              readonly run: { readonly id: string }
            }
            await stream.ended(run.id)
          }),
        ])
        stream.close()
      },
      close() {
        caller.close()
        anonymous.close()
      },
    },
  }
}

/** The text of an answer. @throws unless it is one of success. */
async function answered(caller: Caller, method: string, path: string, body?: unknown): Promise<string> {
  const { status, text } = await caller.call(method, path, body === undefined ? {} : { body })
  if (status >= 300) throw new Error(`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')} answered ${status} ${text.slice(0, 200)}`)
  return text
}

/** Follows the stream of a person, for the ends of runs alone. */
function watchRuns(caller: Caller): { ended(runId: string): Promise<void>; close(): void } {
  const { socket } = sendRaw(caller, { method: 'GET', path: '/api/events', headers: { accept: 'text/event-stream' } })
  const ends = new Set<string>()
  const waiting = new Map<string, () => void>()
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    let name = ''
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line.slice(7).trim()
      if (!line.startsWith('data: ') || !/^run\.(completed|failed|cancelled)$/.test(name)) continue
      const { run_id: id } = JSON.parse(line.slice(6)) as { readonly run_id: string }
      ends.add(id)
      waiting.get(id)?.()
    }
  })
  return {
    ended: (runId) =>
      new Promise((resolve, reject) => {
        if (ends.delete(runId)) return resolve()
        const limit = AbortSignal.timeout(patienceMs)
        limit.addEventListener('abort', () => {
          if (waiting.delete(runId))
            reject(new Error(`a run did not end within ${patienceMs / 1_000} s${socket.destroyed ? '; the stream had ended' : ''}`))
        })
        waiting.set(runId, () => {
          waiting.delete(runId)
          ends.delete(runId)
          resolve()
        })
        return undefined
      }),
    close: () => socket.destroy(),
  }
}
