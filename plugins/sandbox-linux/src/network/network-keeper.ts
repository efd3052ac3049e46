import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { signalWithin } from '@agent-service/sdk/async'
import { sandboxRefusedError } from '@agent-service/sdk/contracts/sandbox-driver'

const answerLimitMs = 10_000

/** The helper that keeps a network. */
export interface NetworkKeeper {
  /** The process whose network namespace it is. */
  readonly pid: number
  /** A socket inside. @throws `sandbox_refused` if there is none. */
  ask(verb: 'listen' | 'connect', port: number): Promise<Server | Socket>
  end(): void
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
}

/** An answer of the helper: a socket as the handle, or the reason why there is none. */
interface Answer {
  readonly ready?: true
  readonly listen?: number
  readonly connect?: number
  readonly error?: string
}

/**
 * It runs as the service's own user, not as the principal's: who makes a network may change it.
 * @throws `sandbox_refused` if the machine makes none.
 */
export async function openKeeper(helper: string): Promise<NetworkKeeper> {
  const child = spawn(helper, ['network'], { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'pipe', 'ipc'] })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.stdin?.on('error', () => undefined)
  const first = await nextAnswer(child, ended).catch(() => undefined)
  if (first?.[0].ready !== true) {
    child.kill('SIGKILL')
    throw sandboxRefusedError.create({
      reason: `a network of its own cannot be made: ${String(child.stderr?.read() ?? 'the helper ended')}`,
    })
  }
  child.unref()
  child.channel?.unref()
  return { pid: child.pid ?? 0, ask: createAsk(child, ended), end: () => void child.stdin?.end(), ended }
}

/** @throws if the helper ends, or does not answer in time. */
async function nextAnswer(child: ChildProcess, ended: Promise<void>): Promise<readonly [Answer, Server | Socket | undefined]> {
  const stop = new AbortController()
  void ended.then(() => stop.abort())
  const signal = signalWithin(answerLimitMs, stop.signal)
  const [answer, handle] = (await once(child, 'message', { signal })) as [Answer, Server | Socket | undefined]
  return [answer, handle]
}

/** Asks one thing after the other; answers come in order. */
function createAsk(child: ChildProcess, ended: Promise<void>): NetworkKeeper['ask'] {
  let last: Promise<unknown> = Promise.resolve()
  const askNow: NetworkKeeper['ask'] = async (verb, port) => {
    child.channel?.ref()
    try {
      const answered = nextAnswer(child, ended)
      child.stdin?.write(`${verb} ${port}\n`)
      const [answer, handle] = await answered.catch((): [Answer, undefined] => {
        // An answer that came later would be taken for that of the next question.
        child.kill('SIGKILL')
        return [{ error: 'the keeper of the network has ended' }, undefined]
      })
      if (handle === undefined)
        throw sandboxRefusedError.create({ reason: `port ${port} inside cannot be reached: ${answer.error ?? 'no answer'}` })
      return handle
    } finally {
      child.channel?.unref()
    }
  }
  return (verb, port) => {
    const asked = last.then(() => askNow(verb, port))
    last = asked.catch(() => undefined)
    return asked
  }
}
