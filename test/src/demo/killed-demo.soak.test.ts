import { eventually } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { signUp } from '../support/api.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { demoEnvironment, demoPlugin, ideaTexts, saidIn } from './support/demo-ideas.js'

describe('the demo, killed in the middle of an answer', function () {
  this.timeout(120_000)

  it('goes on with the whole answer after its restart', async () => {
    const environment = { ...demoEnvironment(20), SERVICE_PLUGINS_SOURCES: JSON.stringify([demoPlugin]) }
    let service = await startServiceProcess({ environment })
    try {
      let ada = await signUp(service.url, 'ada')
      const stream = await ada.stream()
      const chat = String((await ada.request('POST', '/api/chats', {})).body['id'])
      await ada.request('POST', `/api/chats/${chat}/messages`, { content: ideaTexts('en').table })
      await stream.until(({ data }) => JSON.stringify(data).includes('External'))
      stream.close()
      await service.kill()
      service = await startServiceProcess({ environment, folder: service.folder })
      ada = await signUp(service.url, 'ada')
      const whole = await eventually(async () => {
        const text = await saidIn(ada, chat)
        return /deletes nothing on the disk\.$/.test(text) && text
      })
      expect(whole.match(/Here are three ways/g)).to.have.length(1)
    } finally {
      await service.kill()
      await removeFolder(service.folder)
    }
  })
})
