import { createFakeSealedFields, createTestContext, describeAgentRunHook, type PluginTestContext } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from '../index.js'
import { credentialMasks, maxSecrets } from './masked-secrets.js'
import { createMasking, type Masking } from './masking.js'

const agent = { userId: 'user-1', agentId: 'agent-1' }
const token = 'ghp_Wq83bX0zYt55LmPo21'
const passphrase = 'correct horse battery'
const sealedFields = createFakeSealedFields()
const { signal } = new AbortController()

describe('the masking of what agents were given', () => {
  let host: PluginTestContext
  let masking: Masking
  const protectedValues: string[] = []
  /** The masking of another process, or of this one after a restart. */
  const start = (): Masking =>
    createMasking({
      database: host.services.database,
      sealedFields,
      secrets: { protect: (value) => void protectedValues.push(value) },
    })
  const masked = async (text: string, by = masking, of = agent): Promise<string> => {
    const mask = await by.mask(of)
    return mask.take(text) + mask.end()
  }

  beforeEach(() => {
    host = createTestContext(plugin, { config: { vault: { vaultthree_mount: 'secret' } } })
    masking = start()
    protectedValues.length = 0
  })
  afterEach(() => host.dispose())

  it('knows what it was told, also after a restart and in another process, and tells the log', async () => {
    const other = start()
    expect(await masked(token, other)).to.equal(token)
    await masking.remember(agent, [{ credential: 'github', value: token }])
    expect(await masked(`a ${token}.`)).to.equal('a [credential github].')
    expect(await masked(`a ${token}.`, other)).to.equal('a [credential github].')
    protectedValues.length = 0
    expect(await masked(`a ${token}.`, start())).to.equal('a [credential github].')
    expect(protectedValues).to.deep.equal([token])
  })

  it('keeps secrets sealed, and those of one agent from others', async () => {
    await masking.remember(agent, [{ credential: 'github', value: token }])
    const stored = await host.services.database.collection(credentialMasks).get(agent.agentId)
    expect(stored).to.include({ user_id: agent.userId, count: 1 })
    expect(stored?.secrets).to.match(/^sealed:/)
    expect(await masked(token, masking, { ...agent, agentId: 'agent-2' })).to.equal(token)
    expect(await masked(token, masking, { ...agent, userId: 'user-2' })).to.equal(token)
  })

  it('tells masks that are in use of what comes later', async () => {
    await masking.remember(agent, [{ credential: 'other', value: 'something else 1' }])
    const mask = await masking.mask(agent)
    expect(mask.take('begins ')).to.equal('begins ')
    await masking.remember(agent, [{ credential: 'github', value: token }])
    expect(mask.take(`and ${token} `) + mask.end()).to.equal('and [credential github] ')
  })

  it('forgets agents and users when it is told to, and not before', async () => {
    await masking.remember(agent, [{ credential: 'github', value: token }])
    await masking.remember({ ...agent, agentId: 'agent-2' }, [{ credential: 'github', value: token }])
    await masking.remember({ userId: 'user-2', agentId: 'agent-3' }, [{ credential: 'github', value: token }])
    expect(await masking.size('user-1', { signal })).to.deep.include({ records: 2 })
    await masking.forgetAgent({ ...agent, userId: 'user-2' })
    expect(await masked(token)).to.equal('[credential github]')
    await masking.forgetAgent(agent)
    expect(await masked(token)).to.equal(token)
    await masking.forgetUser('user-1', { signal })
    expect(await masking.size('user-1', { signal })).to.deep.equal({ records: 0, bytes: 0 })
    expect(await masked(token, start(), { userId: 'user-2', agentId: 'agent-3' })).to.equal('[credential github]')
  })

  it('keeps the newest, within its bounds', async () => {
    const many = Array.from({ length: maxSecrets + 1 }, (_, index) => ({ credential: 'github', value: `secret-number-${1_000 + index}` }))
    await masking.remember(agent, [{ credential: 'first', value: token }])
    await masking.remember(agent, many.slice(0, maxSecrets))
    expect(await masked(token)).to.equal(token)
    await masking.remember(agent, many.slice(maxSecrets))
    expect(await masked(`secret-number-${1_000 + maxSecrets}`)).to.equal('[credential github]')
    expect((await host.services.database.collection(credentialMasks).get(agent.agentId))?.count).to.equal(maxSecrets)
  })

  it('remembers two at the same time', async () => {
    await Promise.all([token, passphrase].map((value, index) => masking.remember(agent, [{ credential: `c${index}`, value }])))
    expect(await masked(`${token} ${passphrase}`)).to.equal('[credential c0] [credential c1]')
  })

  it('refuses what it could not mask, and then remembers nothing', async () => {
    for (const value of ['12345', '', '  "-a-b-c-d-"  ', '••••••••', 'ab––––––––', 'x'.repeat(16_385)]) {
      const refused = await masking
        .remember(agent, [
          { credential: 'github', value: token },
          { credential: 'pin', value },
        ])
        .then(
          () => undefined,
          (error: Error & { readonly code: string }) => error,
        )
      expect(refused?.code, value).to.equal('secret_not_maskable')
      expect(refused?.message)
        .to.include('“pin”')
        .and.not.include(value === '' ? '\0' : value)
    }
    expect(await masked(token)).to.equal(token)
  })

  const call = { userId: agent.userId, agentId: agent.agentId, chatId: 'c', runId: 'r', callId: 'k', tool: 'shell' }
  it('finds a secret that is split over the pieces of an output and over the texts of a result', async () => {
    await masking.remember(agent, [{ credential: 'github', value: token }])
    const output = async (text: string): Promise<string> =>
      (await masking.hook.mask?.({ ...call, kind: 'output', texts: [text] }, { signal }))?.join('') ?? ''
    expect([await output(`a ${token.slice(0, 9)}`), await output(token.slice(9)), await output(' end\n')]).to.deep.equal([
      'a ',
      '[credential github]',
      ' end\n',
    ])
    const result = await masking.hook.mask?.(
      { ...call, kind: 'result', texts: ['list', token.slice(0, 5), token.slice(5, 9), `${token.slice(9)}!`] },
      { signal },
    )
    expect(result).to.deep.equal(['list', '[credential github]', '', '!'])
  })

  it('finds a secret split over pieces with a thousand other outputs in between, and forgets those of a run that has ended', async () => {
    await masking.remember(agent, [{ credential: 'github', value: token }])
    const output = async (callId: string, text: string, runId = 'r'): Promise<string> =>
      (await masking.hook.mask?.({ ...call, runId, callId, kind: 'output', texts: [text] }, { signal }))?.join('') ?? ''
    await output('long', 'begins ')
    for (let index = 0; index < 999; index += 1) await output(`other-${index}`, 'x ')
    expect(await output('long', token.slice(0, 9))).to.equal('')
    for (let index = 0; index < 500; index += 1) await output(`more-${index}`, 'x ')
    expect(await output('long', `${token.slice(9)} `)).to.equal('[credential github] ')

    expect(await output('cut', token.slice(0, 9), 'r2')).to.equal('')
    await masking.hook.runEnded?.({ ...call, runId: 'r2', agentHandle: 'a', status: 'cancelled', failure: null } as never, { signal })
    expect(await output('cut', 'anew ', 'r2')).to.equal('anew ')
  })

  it('finds a short secret beside lines of a key', async () => {
    const value = 'hunter-22-lost\n-----BEGIN X-----'
    await masking.remember(agent, [{ credential: 'odd', value }])
    expect(await masked(value)).to.match(/^\[credential odd\]-*$/)
  })

  it('finds a secret in the words of a model, in pieces and whole, and asks for nothing where there is none', async () => {
    const answer = {
      userId: agent.userId,
      agentId: agent.agentId,
      chatId: 'c',
      runId: 'r',
      turn: 0,
      attempt: 0,
      kind: 'piece',
      part: 0,
    } as const
    const ask = (changes: object, text: string) => masking.hook.maskAnswer?.({ ...answer, ...changes, texts: [text] }, { signal })
    expect(await ask({}, token)).to.equal(undefined)
    await masking.remember(agent, [{ credential: 'github', value: token }])
    expect(await ask({}, `a ${token.slice(0, 8)}`)).to.deep.equal(['a '])
    expect(await ask({ attempt: 1 }, 'b ')).to.deep.equal(['b '])
    expect(await ask({}, `${token.slice(8)}. `)).to.deep.equal(['[credential github]. '])
    expect(await ask({ kind: 'whole' }, `a ${token}. `)).to.deep.equal(['a [credential github]. '])
  })

  it('gives way to other work in a long text', async () => {
    await masking.remember(agent, [{ credential: 'github', value: token }])
    let turns = 0
    const count = (): void => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const text = `${'words of a long text '.repeat(10_000)}${token}`
    const [result = ''] = (await masking.hook.mask?.({ ...call, kind: 'result', texts: [text] }, { signal })) ?? []
    clearImmediate(next)
    expect(result.endsWith(' [credential github]')).to.equal(true)
    expect(turns).to.be.at.least(10)
  })

  describeAgentRunHook({
    name: 'credentials',
    async create() {
      const own = start()
      await own.remember(agent, [
        { credential: 'github', value: token },
        { credential: 'door', value: passphrase },
      ])
      return own.hook
    },
    masks: [
      {
        title: 'a token and a passphrase',
        texts: [`It is ${token}.`, `${passphrase} and ${Buffer.from(passphrase).toString('base64')}`, 'Nothing here'],
        hidden: [token, passphrase, Buffer.from(passphrase).toString('base64')],
        kept: ['Nothing here', 'It is '],
      },
    ],
  })
})
