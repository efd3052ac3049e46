import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { bearer, createClient } from '../security/support/clients.js'
import { writeConfiguration } from '../support/configuration.js'
import { fewPlugins } from '../support/few-plugins.js'
import { type ScriptedHttpUpstream, saying, startScriptedHttpUpstream } from '../support/scripted-http-upstream.js'
import { removeFolder, type ServiceProcess, startServiceProcess } from '../support/service-process.js'
import { marker, markersBelow, markersIn } from './support/marker-search.js'
import { temporaryFolder } from './support/temporary-folder.js'

const begun = 'Removing deleted data from the files of the database.'
const ended = 'Removed deleted data from the files of the database.'

for (const driver of ['sqlite', 'lowdb'] as const) {
  describe(`a service with ${driver} that is killed while it purges erased data`, function () {
    this.timeout(120_000)
    let folder: string
    let upstream: ScriptedHttpUpstream
    let service: ServiceProcess

    const start = async (): Promise<void> => {
      service = await startServiceProcess({
        folder,
        environment: {
          ...fewPlugins(),
          SERVICE_DATABASE_DRIVER: driver,
          SERVICE_SERVER_LOG_LEVEL: 'debug',
          SERVICE_SERVER_SSE_PENDING_EVENTS_SECS: '0',
          UPSTREAM_KEY: 'key',
        },
      })
    }

    beforeEach(async () => {
      folder = await temporaryFolder('agent-service-killed-purge-')
      upstream = await startScriptedHttpUpstream()
      await writeConfiguration(folder, upstream.url)
      await start()
    })
    afterEach(async () => {
      service.child.kill('SIGKILL')
      await upstream.close()
      await removeFolder(folder)
    })

    const linesWith = (text: string): number => service.log.filter((line) => line.includes(text)).length
    const untilLogged = async (text: string, times: number): Promise<void> => {
      while (linesWith(text) < times) await new Promise((resolve) => service.child.stdout?.once('data', resolve))
    }

    const settled = async (): Promise<readonly string[]> => {
      const until = performance.now() + 30_000
      for (;;) {
        const places = await markersBelow(path.join(folder, 'data'))
        if (places.length === 0 || performance.now() > until) return places
        await delay(250)
      }
    }

    const fill = async (authorization: Readonly<Record<string, string>>, chats: number): Promise<readonly string[]> => {
      const client = createClient(service.url)
      const ids: string[] = []
      for (let number = 0; number < chats; number += 1) {
        upstream.script(saying(`${marker}answer ${'a'.repeat(5_000)}`))
        const chat = await client.send('POST', '/api/chats', { headers: authorization, body: { title: `${marker}title` } })
        const target = `/api/chats/${String(chat.json['id'])}/messages`
        const posted = await client.send('POST', target, { headers: authorization, body: { content: `${marker}word${number} question` } })
        const runPath = `/api/runs/${(posted.json['run'] as { readonly id: string }).id}`
        let status = ''
        while (status !== 'completed') {
          status = String((await client.send('GET', runPath, { headers: authorization })).json['status'])
          if (status === 'failed') throw new Error('The run failed.')
        }
        ids.push(String(chat.json['id']))
      }
      return ids
    }

    it('purges it after the next start: of a chat, killed in the middle', async () => {
      const client = createClient(service.url)
      const { authorization } = await client.signUp('ada')
      const chats = await fill(authorization, 6)
      expect(await markersBelow(path.join(folder, 'data'))).to.have.length.greaterThan(6)
      await untilLogged(ended, linesWith(begun))
      const before = linesWith(begun)
      for (const target of chats.flatMap((id) => [id, `bin/${id}`]))
        expect((await client.send('DELETE', `/api/chats/${target}`, { headers: authorization })).status).to.equal(204)
      await untilLogged(begun, before + 1)
      await service.kill()
      await start()
      expect(await settled()).to.deep.equal([])
      expect(markersIn(Buffer.from(service.log.join('\n')))).to.deep.equal([])
    })

    it('erases it after the next start: of an account, killed as soon as the deletion was confirmed', async () => {
      const client = createClient(service.url)
      const admin = await client.signUp('ada')
      const doomed = await client.signUp('carol')
      await fill(doomed.authorization, 3)
      expect((await client.send('DELETE', `/api/admin/users/${doomed.userId}`, { headers: bearer(admin.accessToken) })).status).to.equal(
        204,
      )
      await service.kill()
      await start()
      expect(await settled()).to.deep.equal([])
    })
  })
}
