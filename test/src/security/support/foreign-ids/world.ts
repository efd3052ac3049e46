import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type AgentsKernel, startAgentsKernel } from '../../../agents/support/agents-kernel.js'
import { setScript } from '../../../agents/support/scripted-plugin.js'
import { writeTestPlugin } from '../../../agents/support/write-test-plugin.js'
import townPlugin, { newTown, type Town } from '../../../channels/support/town-plugin.js'
import shedPlugin from '../../../console/support/shed-plugin.js'
import { type Api, confirm, signUp } from '../../../support/api.js'
import { setUpCodeOf } from '../../../support/set-up-code.js'
import { usualPassword } from '../clients.js'
import { answerAsAsked, makeDocuments } from './documents.js'
import type { Documents } from './kinds.js'

/** A person with one document of each kind. */
export interface Owner extends Api {
  readonly documents: Documents
}

/** A service with two people who each have everything, and its administrator. */
export interface ForeignWorld {
  readonly agents: AgentsKernel
  readonly url: string
  readonly town: Town
  readonly admin: Api
  readonly alice: Owner
  readonly mallory: Owner
  close(): Promise<void>
}

export async function startForeignWorld(): Promise<ForeignWorld> {
  setScript({ answer: answerAsAsked })
  const town = newTown()
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-service-foreign-'))
  const plugins = await Promise.all([
    writeTestPlugin(path.join(folder, 'town'), townPlugin, new URL('../../../channels/support/town-plugin.js', import.meta.url)),
    writeTestPlugin(path.join(folder, 'shed'), shedPlugin, new URL('../../../console/support/shed-plugin.js', import.meta.url)),
  ])
  const agents = await startAgentsKernel({ plugins, environment: { SERVICE_SERVER_TRUSTED_PROXIES: '127.0.0.1' } })
  const close = async (): Promise<void> => {
    await agents.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { url } = agents.kernel
    const admin = await signUp(url, 'admin', usualPassword, setUpCodeOf(agents.kernel))
    await confirm(admin)
    const shared = { channel: 'town', title: 'For all', members: { token: 'for all' } }
    const stream = await admin.stream()
    const { body } = await admin.request('POST', '/api/admin/channels/connections', shared)
    const sharedConnection = String(body['id'])
    await stream.until(
      ({ name, data }) => name === 'channel.updated' && data['connection_id'] === sharedConnection && data['state'] === 'connected',
    )
    stream.close()
    const own = async (name: string): Promise<Owner> => {
      const person = await signUp(url, name)
      return { ...person, documents: await makeDocuments(person, name, { town, sharedConnection }) }
    }
    return { agents, url, town, admin, alice: await own('alice'), mallory: await own('mallory'), close }
  } catch (error) {
    await close()
    throw error
  }
}
