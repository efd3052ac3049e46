import { type Attack, times, tryCall } from './attack.js'
import { evilText } from './evil.js'

/** A hundred model calls at once, every third of them left alone. */
export const modelCalls: Attack = async (attacker) => {
  const body = { model: 'primary', stream: true, messages: [{ role: 'user', content: 'Say a few words.' }] }
  await times(100, (index) => tryCall(attacker, 'POST', '/v1/chat/completions', { body, ...(index % 3 === 0 ? { abortAfterMs: 30 } : {}) }))
}

/** Searches for what is everywhere. */
export const searches: Attack = (attacker) =>
  times(60, (index) =>
    tryCall(
      attacker,
      'GET',
      `/api/chats/search?limit=100&q=${['word', 'w', 'the word', 'a b c d e f g h'][index % 4]?.replaceAll(' ', '+')}`,
    ),
  )

/** The same large chat again and again. */
export const imports: Attack = (attacker) =>
  times(6, () => tryCall(attacker, 'POST', '/api/chats/import', { body: Buffer.from(attacker.exported) }))

/** Answers beside answers, and lists of what comes of it. */
export const forks: Attack = (attacker) =>
  times(30, (index) =>
    index % 2 === 0
      ? tryCall(attacker, 'POST', `/api/chats/${attacker.chatId}/regenerate`, { body: {} })
      : tryCall(attacker, 'GET', `/api/chats/${attacker.chatId}/branches`),
  )

/** Agents that search files for what takes for ever. */
export const expressions: Attack = async (attacker) => {
  const text = Buffer.from(evilText)
  await times(3, (index) =>
    tryCall(attacker, 'PUT', `/api/files/content?path=workspaces/main/evil-${index}.txt`, {
      body: text,
      headers: { 'content-type': 'text/plain' },
    }),
  )
  await times(6, async () => {
    const chat = JSON.parse((await tryCall(attacker, 'POST', '/api/chats', { body: {} })) || '{}') as { readonly id?: string }
    if (chat.id !== undefined) await tryCall(attacker, 'POST', `/api/chats/${chat.id}/messages`, { body: { content: 'Search the files.' } })
  })
}

/** Tokens, as many as there may be. */
export const tokens: Attack = (attacker) =>
  times(40, async (index) => {
    const made = JSON.parse((await tryCall(attacker, 'POST', '/api/auth/tokens', { body: { name: `token ${index}` } })) || '{}') as {
      readonly id?: string
    }
    if (made.id !== undefined) await tryCall(attacker, 'DELETE', `/api/auth/tokens/${made.id}`)
  })

/** Sign-ins under every name. */
export const signIns: Attack = (attacker) =>
  times(300, (index) =>
    tryCall(attacker, 'POST', '/api/auth/login', {
      body: { username: index % 2 === 0 ? 'bystander-0' : `nobody-${attacker.random.between(0, 1e9)}`, password: 'x'.repeat(1_000) },
    }),
  )

/** Pre-signed URLs, and their downloads. */
export const presignedUrls: Attack = async (attacker) => {
  const headers = { 'content-type': 'application/octet-stream' }
  await tryCall(attacker, 'PUT', '/api/files/content?path=files/shared.bin', { body: Buffer.alloc(4 * 1024 * 1024), headers })
  await times(30, async () => {
    const made = JSON.parse((await tryCall(attacker, 'POST', '/api/files/presign', { body: { path: 'files/shared.bin' } })) || '{}') as {
      readonly url?: string
    }
    if (made.url !== undefined) await tryCall(attacker, 'GET', made.url.replace(/^https?:\/\/[^/]+/, ''), { abortAfterMs: 500 })
  })
}

/** Requests that wait for one another, by the same key. */
export const waits: Attack = async (attacker) => {
  const key = `key-${attacker.random.between(0, 1e9)}`
  await times(60, () =>
    tryCall(attacker, 'POST', `/api/chats/${attacker.chatId}/messages`, {
      body: { content: 'Once.' },
      headers: { 'idempotency-key': key },
    }),
  )
}
