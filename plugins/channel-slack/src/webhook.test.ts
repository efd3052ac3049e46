import { expect } from 'chai'
import { signedRequest, signingSecret } from './test-support/slack-bench.js'
import { answerWebhook, isOfSlack } from './webhook.js'

describe('requests of Slack', () => {
  it('knows the signature that Slack has published as an example', () => {
    const body = Buffer.from(
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA' +
        '&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554' +
        '%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    )
    const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
    const headers = { 'x-slack-request-timestamp': '1531420618', 'x-slack-signature': signature }
    const request = { headers, body, signingSecret: '8f742231b10e8888abcd99yyyzzz85a5', now: 1_531_420_618_000 }
    expect(isOfSlack(request)).to.equal(true)
    expect(isOfSlack({ ...request, now: request.now + 301_000 })).to.equal(false)
    expect(isOfSlack({ ...request, signingSecret: '' })).to.equal(false)
  })

  it('answers the check of the address, only if it is signed, as plain text', async () => {
    const host = { receive: () => Promise.reject(new Error('Nothing is received.')), state: () => Promise.resolve(undefined) }
    const options = { signingSecret, account: { userId: 'UAGENT', botId: 'BAGENT' }, host, now: Date.now }
    const body = JSON.stringify({ type: 'url_verification', challenge: '<script>' })
    const answer = await answerWebhook(signedRequest(body), options)
    expect(answer).to.deep.include({ status: 200, body: '<script>' })
    expect(answer.headers?.['content-type']).to.match(/^text\/plain/)
    expect((await answerWebhook(signedRequest(body, { secret: 'another' }), options)).status).to.equal(401)
  })

  it('says that the app was removed, only if that is signed and about this one', async () => {
    const host = { receive: () => Promise.reject(new Error('Nothing is received.')), state: () => Promise.resolve(undefined) }
    const options = { signingSecret, account: { userId: 'UAGENT', botId: 'BAGENT' }, host, now: Date.now }
    const removed = (user: string) =>
      JSON.stringify({ type: 'event_callback', event: { type: 'app_uninstalled' }, authorizations: [{ user_id: user }] })
    expect((await answerWebhook(signedRequest(removed('UAGENT'), { secret: 'another' }), options)).status).to.equal(401)
    expect((await answerWebhook(signedRequest(removed('UOTHER')), options)).status).to.equal(200)
    const thrown: unknown = await answerWebhook(signedRequest(removed('UAGENT')), options).catch((error: unknown) => error)
    expect(thrown).to.have.property('code', 'channel_unauthorized')
  })
})
