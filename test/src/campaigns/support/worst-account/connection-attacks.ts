import { setTimeout } from 'node:timers/promises'
import { type Attack, type Attacker, times, tryCall } from './attack.js'
import { wrongMessages } from './evil.js'
import { type RawConnection, type RawRequest, sendRaw } from './raw-requests.js'

const megabyte = 1024 * 1024
const filler = Buffer.alloc(31 * megabyte, ' ')

/**
 * How long the answers to a group of connections are waited for before the next is opened, in
 * milliseconds.
 */
const groupMs = 100

/** Opens connections in groups, does something while they are open, and breaks them all. */
async function hold(
  attacker: Attacker,
  number: number,
  request: (index: number) => RawRequest,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const open: RawConnection[] = []
  try {
    while (open.length < number && !attacker.signal.aborted) {
      const group = Array.from({ length: Math.min(100, number - open.length) }, (_, index) => sendRaw(attacker.caller, request(index)))
      open.push(...group)
      await Promise.race([Promise.all(group.map(({ status }) => status)), setTimeout(groupMs)])
    }
    await meanwhile()
    for (const { status } of open) attacker.count(await Promise.race([status, Promise.resolve('no answer')]))
  } finally {
    for (const { socket } of open) socket.destroy()
  }
}

/** Three thousand streams that are not read, and messages for all of them. */
export const streams: Attack = (attacker) =>
  hold(
    attacker,
    3_000,
    () => ({ method: 'GET', path: '/api/events', headers: { accept: 'text/event-stream' }, deaf: true }),
    () => times(4, () => tryCall(attacker, 'POST', `/api/chats/${attacker.chatId}/messages`, { body: { content: 'w'.repeat(200_000) } })),
  )

/** WebSockets, asked for at places that have them and that have not. */
export const webSockets: Attack = (attacker) =>
  hold(
    attacker,
    300,
    (index) => ({
      method: 'GET',
      path: index % 2 === 0 ? '/api/voice' : `/api/chats/${attacker.chatId}`,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': 13,
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    }),
    () => setTimeout(500),
  )

/** Bodies of almost 32 MiB that never end. */
export const slowBodies: Attack = (attacker) =>
  hold(
    attacker,
    12,
    (index) => ({
      method: 'POST',
      path: index % 2 === 0 ? `/api/chats/${attacker.chatId}/messages` : '/v1/chat/completions',
      headers: { 'content-type': 'application/json', 'content-length': 32 * megabyte },
      body: filler,
    }),
    () => setTimeout(2_000),
  )

/** Bodies of 20 MB that are JSON, and deep or wide. */
export const hugeBodies: Attack = async (attacker) => {
  const wide = Buffer.from(JSON.stringify({ content: Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'word '.repeat(6) })) }))
  await times(6, (index) =>
    tryCall(attacker, 'POST', index % 2 === 0 ? `/api/chats/${attacker.chatId}/messages` : '/v1/responses', { body: wide }),
  )
}

/** Many messages of `/v1`, each wrong in several ways. */
export const wrongBodies: Attack = async (attacker) => {
  const body = Buffer.from(JSON.stringify(wrongMessages(250_000)))
  await times(4, async () => {
    for (let time = 0; time < 5 && !attacker.signal.aborted; time += 1) await tryCall(attacker, 'POST', '/v1/chat/completions', { body })
  })
}

/** Requests that end before their answer. */
export const aborted: Attack = async (attacker) => {
  const paths = [
    `/api/chats/${attacker.chatId}/export`,
    `/api/chats/${attacker.chatId}/messages?limit=200`,
    '/api/openapi.json',
    '/api/chats/search?q=word',
  ]
  await times(200, (index) => tryCall(attacker, 'GET', attacker.random.pick(paths), { abortAfterMs: 1 + (index % 40) }))
}

/** Exports that are asked for and not read. */
export const exportsUnread: Attack = (attacker) =>
  hold(
    attacker,
    40,
    () => ({ method: 'GET', path: `/api/chats/${attacker.chatId}/export`, deaf: true }),
    () => setTimeout(1_500),
  )

/** Uploads that stop half way, and such that do not. */
export const uploads: Attack = async (attacker) => {
  await Promise.all([
    hold(
      attacker,
      20,
      (index) => ({
        method: 'PUT',
        path: `/api/files/content?path=files/slow-${index}.bin`,
        headers: { 'content-type': 'application/octet-stream', 'content-length': 32 * megabyte },
        body: filler.subarray(0, 4 * megabyte),
      }),
      () => setTimeout(1_500),
    ),
    times(8, (index) =>
      tryCall(attacker, 'PUT', `/api/files/content?path=files/large-${index}.bin`, {
        body: filler.subarray(0, 8 * megabyte),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    ),
  ])
}
