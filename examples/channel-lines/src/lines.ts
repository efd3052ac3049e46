import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { classifyAddress } from '@agent-service/sdk/addresses'
import { channelConnectionInvalidError, channelUnavailableError } from '@agent-service/sdk/contracts/channel'

/** One line: an object. What it has besides `type` depends on that, and comes from outside. */
export type Line = Readonly<Record<string, unknown>> & { readonly type: string }
export type Lines = AsyncGenerator<Line, never>

export const channel = 'Lines'

/** Opens a socket, to a public address unless an administrator has chosen it. It ends with the signal. */
export async function openSocket(host: string, port: number, isChosenByUser: boolean, signal: AbortSignal): Promise<Socket> {
  const { address } = await lookup(host)
  if (isChosenByUser && classifyAddress(address) !== 'public')
    throw channelConnectionInvalidError.create({ member: 'host', reason: 'leads to an address that is not public' })
  // Its reader learns of an error; one that comes while it is not read must not end the process.
  return connect({ host: address, port, signal, noDelay: true, keepAlive: true }).on('error', () => undefined)
}

export const writeLine = (socket: Socket, line: Line): boolean => socket.write(`${JSON.stringify(line)}\n`)

/** The lines of a socket. What is no object with a type, or too long, is passed over. @throws `channel_unavailable` at its end. */
export async function* linesOf(socket: Socket): Lines {
  let rest = ''
  let cause: unknown
  try {
    for await (const chunk of socket.setEncoding('utf8') as AsyncIterable<string>) {
      const texts = (rest + chunk).split('\n')
      rest = texts.pop() ?? ''
      // With this mark what is left of a line of over 1 MiB is no JSON.
      if (rest.length > 1_048_576) rest = '!'
      yield* texts.map(parsed).filter((line) => line !== undefined)
    }
  } catch (error) {
    cause = error
  }
  throw channelUnavailableError.create({ channel, reason: 'the connection broke' }, { cause })
}

function parsed(text: string): Line | undefined {
  try {
    const value = JSON.parse(text) as Line | null
    return typeof value?.type === 'string' ? value : undefined
  } catch {
    // The next line may be sound: one that is not must not end the session.
    return undefined
  }
}
