import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { openSocket } from '../../bad-input/support/raw-http.js'
import { type Api, confirm } from '../../support/api.js'
import type { ServiceProcess } from '../../support/service-process.js'

/** What of the configuration waits for a restart. */
export async function getConfig(admin: Api): Promise<{ readonly pending: unknown; readonly restart_required: unknown }> {
  const { body } = await admin.request('GET', '/api/admin/config')
  return { pending: body['pending'], restart_required: body['restart_required'] }
}

/** Saves a change of the configuration, as a person who has confirmed who they are. */
export async function change(service: ServiceProcess, admin: Api, patch: unknown): Promise<void> {
  await confirm(admin)
  const { body } = await admin.request('GET', '/api/admin/config')
  const answer = await fetch(`${service.url}/api/admin/config`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', 'if-match': String(body['revision']) },
    body: JSON.stringify(patch),
  })
  expect(answer.status, await answer.text()).to.equal(200)
}

/** The status of the answer to a registration. */
export async function registrationOf(url: string, username: string): Promise<number> {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'a long enough password' }),
  })
  return answer.status
}

/** A request that has begun and holds the end up for as long as it may. */
export async function holdUp(url: string, person: Api): ReturnType<typeof openSocket> {
  const socket = await openSocket(url)
  socket.write(
    `POST /api/chats HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{`,
  )
  // The service has begun with it once it answers another one that came later.
  expect((await person.request('GET', '/api/chats')).status).to.equal(200)
  return socket
}

/** The addresses of the lines that say that it is ready. */
export const readyUrls = (service: ServiceProcess): readonly string[] =>
  service.log.flatMap((line) => {
    const entry = line.startsWith('{') ? (JSON.parse(line) as { readonly msg?: string; readonly url?: string }) : {}
    return entry.msg === 'The service is ready.' && entry.url !== undefined ? [entry.url] : []
  })

/** Resolves to the address once the service has been ready so many times. */
export async function untilReady(service: ServiceProcess, times: number): Promise<string | undefined> {
  await until(service, () => readyUrls(service).length >= times)
  return readyUrls(service)[times - 1]
}

/** Resolves once its log has the text. */
export const untilLine = (service: ServiceProcess, text: string): Promise<void> =>
  until(service, () => service.log.some((line) => line.includes(text)))

async function until(service: ServiceProcess, holds: () => boolean): Promise<void> {
  await eventually(() => holds() || service.child.exitCode !== null, { what: () => service.log })
  expect(holds(), service.log.join('\n')).to.equal(true)
}
